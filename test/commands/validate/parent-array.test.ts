import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const TIME = '2025-01-01T00:00:00.000Z';
const MESSAGE = { type: 'message', timestamp: TIME, message: { role: 'user', content: 'hi' } };

it('finds the parent of a fork that was an array when the fork was made', async () => {
  const dir = await makeTempDir();
  const header = (id: string) => ({ type: 'session', id, timestamp: TIME, cwd: '/w' });
  const branchedFrom = join(dir, '1.json');
  await writeFiles(dir, {
    '1.json': JSON.stringify([header('1'), MESSAGE]),
    '2.jsonl': toJsonl([{ ...header('2'), branchedFrom }, MESSAGE]),
  });
  await makeOld([branchedFrom, join(dir, '2.jsonl')]);
  await runTest(['migrate', '--store', dir, '--apply']);
  const { out } = await runTest(['validate', dir, '--json']);
  expect(out).toContain('"sessions":2');
  expect(out).not.toContain('parent-missing');
});
