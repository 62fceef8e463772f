import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const FILE = `.claude/projects/-w-old/${ID}.jsonl`;
const LINES = [
  { type: 'user', uuid: 'user-1', parentUuid: null, message: { role: 'user', content: 'Hello' } },
  { type: 'api-request', id: 'copy' },
].map((line) => `${JSON.stringify({ ...line, sessionId: ID, cwd: '/w/old' })}\n`);

it.each([
  ['fork', ID, '--in-place', '--name', 'Other'],
  ['compact', ID, '--force'],
  ['compact', ID, '--copies'],
  ['migrate', '--cwd', '/w/old=/w/new'],
])('skips a session that a living process has open: %s %s %s', async (...argv) => {
  const home = await makeTempDir();
  const note = { pid: process.pid, sessionId: ID, cwd: '/w/old', updatedAt: 1 };
  await writeFiles(home, {
    [FILE]: LINES.join(''),
    [`.claude/sessions/${process.pid}.json`]: JSON.stringify(note),
  });
  const path = join(home, FILE);
  await utimes(path, 1.7e9, 1.7e9);
  const now = (): number => Date.parse('2127-01-01T00:00:00Z');
  const { out } = await runTest([...argv, '--apply', '--json'], { home, cwd: home, now });
  const { results } = JSON.parse(out) as { results: readonly unknown[] };
  expect(results).toMatchObject([{ action: 'skip' }]);
  expect(await readFile(path, 'utf8')).toBe(LINES.join(''));
});
