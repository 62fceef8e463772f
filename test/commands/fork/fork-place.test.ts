import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const TIME = '2025-01-01T00:00:00.000Z';
const MESSAGE = { role: 'user', content: 'hi', timestamp: 1 };
const ENTRY = { type: 'message', id: 'a', parentId: null, timestamp: TIME, message: MESSAGE };

it.each([
  ['pi', '--home-u-src-api--', '/home/u/work', '--home-u-work--'],
  ['oh-my-pi', '-src-api', '/home/u/work', '-work'],
  ['oh-my-pi, outside of the home', '-src-api', '/work', '--work--'],
  ['nobody', 'flat', '/home/u/work', 'flat'],
])('forks into the directory of another project as %s names it', async (_, own, cwd, expected) => {
  const dir = await makeTempDir();
  const header = { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/home/u/src/api' };
  await writeFiles(dir, { [`${own}/1.jsonl`]: toJsonl([header, ENTRY]) });
  const { out } = await runTest(['fork', join(dir, own, '1.jsonl'), '--cwd', cwd], { home: dir });
  expect(basename(dirname(out.trim()))).toBe(expected);
});
