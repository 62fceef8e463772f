import { lstat, stat, utimes } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toStamp, toUtime } from '../../../../../src/session/jsonl/files/identity/file-stamp.ts';
import { makeTempDir, writeFiles } from '../../../../temp-dir.ts';

const MICROSECONDS = 1_000_000;

test.each([
  { years: '2005 to 2036', from: 1.11e9, to: 2.1e9 },
  { years: '1970, and long before', from: -1e6, to: 1e6 },
])('gives a file the very time of another, in $years', async ({ from, to }) => {
  const dir = await makeTempDir();
  await writeFiles(dir, { file: '' });
  const seconds = fc.integer({ min: from, max: to });
  const fraction = fc.integer({ min: 0, max: MICROSECONDS - 1 });
  await fc.assert(
    fc.asyncProperty(seconds, fraction, async (second, microseconds) => {
      const timeMs = second * 1000 + microseconds / 1000;
      await utimes(`${dir}/file`, toUtime(timeMs), toUtime(timeMs));
      expect((await stat(`${dir}/file`)).mtimeMs).toBe(timeMs);
    }),
    { numRuns: 200 },
  );
});

test.each([
  [9_100_000_000_000n, '+275760-09-13T00:00:00.000Z'],
  [-9_100_000_000_000n, '-271821-04-20T00:00:00.000Z'],
])('gives a file of the second %i the nearest time that a date can have', async (second, date) => {
  const dir = await makeTempDir();
  await writeFiles(dir, { file: '' });
  const stats = await lstat(`${dir}/file`, { bigint: true });
  const mtimeNs = second * 1_000_000_000n;
  const { mtimeMs } = toStamp(Object.assign(stats, { mtimeNs }));
  expect(new Date(mtimeMs).toISOString()).toBe(date);
});
