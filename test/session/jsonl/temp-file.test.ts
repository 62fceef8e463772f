import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileExists } from '../../../src/session/jsonl/read-lines.ts';
import { createTempFile, removeStaleTempFiles } from '../../../src/session/jsonl/temp-file.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const DEAD_PID = 2 ** 22 + 1;

test('leaves the file of a living run alone, also one that has an old mtime already', async () => {
  const dir = await makeTempDir();
  const { path, file } = await createTempFile(join(dir, 'a.jsonl'));
  await file.close();
  await utimes(path, 1, 1);
  await removeStaleTempFiles(dir, Date.now());
  expect(await fileExists(path)).toBe(true);
});

test('removes what a dead run has left, and what is older than a day', async () => {
  const dir = await makeTempDir();
  const { path, file } = await createTempFile(join(dir, 'a.jsonl'));
  await file.close();
  const dead = path.replace(`.${process.pid}@`, `.${DEAD_PID}@`);
  await writeFiles('/', { [dead]: 'x' });
  await removeStaleTempFiles(dir, Date.now());
  expect(await fileExists(dead)).toBe(false);
  await removeStaleTempFiles(dir, Date.now() + 25 * 60 * 60 * 1000);
  expect(await fileExists(path)).toBe(false);
});

test('runs that clear away at once do not trip over each other', async () => {
  const dir = await makeTempDir();
  const files = await Promise.all(
    Array.from({ length: 50 }, () => createTempFile(join(dir, 'a.jsonl'))),
  );
  await Promise.all(files.map(({ file }) => file.close()));
  const later = Date.now() + 25 * 60 * 60 * 1000;
  await Promise.all(Array.from({ length: 4 }, () => removeStaleTempFiles(dir, later)));
  expect(await fileExists(files[0]?.path ?? '')).toBe(false);
});
