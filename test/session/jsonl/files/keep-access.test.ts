import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import {
  keepAccess,
  limitMode,
  addDirectory,
} from '../../../../src/session/jsonl/files/keep-access.ts';
import { getFactsSync } from '../../../../src/session/jsonl/files/sync-calls.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';
import { makeToolsWith } from './tools.ts';

afterEach(() => vi.unstubAllEnvs());

it('asks once for a directory which of its files have an access control list', async () => {
  const dir = await makeTempDir();
  const tools = await makeToolsWith('ls');
  // A file that has been there for a while.
  const from = fileURLToPath(new URL('../../../../package.json', import.meta.url));
  const keep = (name: string): [boolean, number] => {
    const path = join(dir, name);
    const fd = openSync(path, 'ax', 0o600);
    const { uid, gid } = fstatSync(fd);
    const source = { ...getFactsSync(from), uid, gid, mode: 0o100_644 };
    const isKept = keepAccess(from, source, { path, fd });
    closeSync(fd);
    return [isKept, statSync(path).mode & 0o777];
  };
  // Where programs cannot be started for a moment, that is asked again.
  vi.stubEnv('PATH', dir);
  expect(keep('none')).toEqual([false, 0o600]);
  vi.stubEnv('PATH', tools);
  expect(keep('one')).toEqual([true, 0o644]);
  vi.stubEnv('PATH', dir);
  expect(keep('two')).toEqual([true, 0o644]);
});

it('asks for no list of what is in a directory that was made where files get none', async () => {
  const dir = await makeTempDir();
  const [made, other] = [join(dir, 'made'), join(dir, 'other')];
  vi.stubEnv('PATH', await makeToolsWith('ls'));
  await writeFiles(dir, { a: '' });
  expect(limitMode(join(dir, 'a'), 0o644)).toBe(0o644);
  for (const one of [made, other]) await mkdir(one);
  addDirectory(made);
  await writeFiles(dir, { 'made/a': '', 'other/a': '' });
  vi.stubEnv('PATH', dir);
  expect(limitMode(join(made, 'a'), 0o644)).toBe(0o644);
  expect(limitMode(join(other, 'a'), 0o644)).toBe(0o600);
});
