import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { readOpening } from '../../../src/session/read/read-opening.ts';
import { discover } from '../../../src/store/find/discover.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

it('finds compressed session files, but not beside what they are unpacked to', async () => {
  const root = await makeTempDir();
  await mkdir(join(root, 'below'));
  const names = ['a.jsonl', 'a.jsonl.zst', 'below/b.jsonl.zst', 'below/c.zst', 'below/d.json'];
  for (const name of names) await writeFile(join(root, name), '');
  const { files } = await discover(root);
  expect(files.map(({ path }) => basename(path))).toEqual(['a.jsonl', 'b.jsonl.zst', 'd.json']);
});

it('takes a compressed file for no session of an agent that does not read such files', async () => {
  const path = join(await makeTempDir(), 'x.jsonl.zst');
  const id = '01890000-0000-7000-8000-000000000000';
  const header = { type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00Z', cwd: '/' };
  await writeFile(path, toZstd(`${JSON.stringify(header)}\n`));
  expect(await readOpening(path)).toHaveProperty('kind', 'foreign');
});
