import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';

it.each([
  ['--at', 'e0'],
  ['--name', 'Trees'],
])('counts the line feed that the last line lacks: %s', async (option, value) => {
  const dir = await makeTempDir();
  const path = join(dir, 's.jsonl');
  const text = toJsonl(toSession([user('a'), assistant('b')])).trimEnd();
  await writeFile(path, text);
  await utimes(path, 0, 0);
  const argv = ['fork', path, '--in-place', option, value, '--json'];
  const [preview, applied] = [
    await runTest(argv, { cwd: dir, home: dir }),
    await runTest([...argv, '--apply'], { cwd: dir, home: dir }),
  ].map(({ out }) => JSON.parse(out).results[0]);
  const { length } = await readFile(path);
  expect(length).toBeGreaterThan(text.length);
  expect([preview.bytesAfter, applied.bytesAfter]).toEqual([length, length]);
});
