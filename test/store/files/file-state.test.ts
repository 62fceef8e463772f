import { statSync, utimesSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  isAsBefore,
  isSettled,
  readFileState,
  toFileState,
} from '../../../src/store/files/file-state.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

it.each([
  ['now', undefined],
  ['between two milliseconds', 1_700_000_000.123_456],
  ['at a whole second', 1_700_000_000],
  ['before 1970', -86_399.75],
])('is the same for both kinds of stats, written %s', async (_when, seconds) => {
  const directory = await makeTempDir();
  await writeFiles(directory, { ash: 'leaves' });
  const path = join(directory, 'ash');
  const time = seconds ?? Date.now() / 1000;
  utimesSync(path, time, time);
  const state = toFileState(statSync(path));
  expect(state).toHaveLength(5);
  expect(toFileState(statSync(path, { bigint: true }))).toEqual(state);
  expect(isAsBefore(path, state)).toBe(true);
});

it('sees that a file was written, has gone, or is something else', async () => {
  const directory = await makeTempDir();
  await writeFiles(directory, { ash: 'leaves' });
  const path = join(directory, 'ash');
  const before = readFileState(path);
  const now = Date.now();
  expect(before && isSettled(before, now)).toBe(false);
  expect(before && isSettled(before, now + 60_000)).toBe(true);
  await writeFile(path, 'more leaves');
  expect(isAsBefore(path, before)).toBe(false);
  expect(isAsBefore(join(directory, 'gone'), before)).toBe(false);
  expect(isAsBefore(join(directory, 'gone'), undefined)).toBe(true);
  expect(toFileState(statSync(directory))).toBeUndefined();
});
