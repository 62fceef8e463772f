import { readdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { neighbours } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { moveSession } from '../../../src/store/remove/remove-session.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

it('moves nothing out of a directory that was put in the place of the one it looked at', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/a.png': 'a', 'precious/x/b.txt': 'b' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), neighbours);
  const move = async (path: string, held = path): Promise<void> => {
    if (!path.endsWith('.jsonl')) return rm(held, { recursive: true });
    await rename(join(dir, 'p'), join(dir, 'old'));
    await symlink(join(dir, 'precious'), join(dir, 'p'));
  };
  await expect(moveSession(planned, move)).rejects.toThrow('is in its place');
  expect(await readdir(join(dir, 'precious/x'))).toEqual(['b.txt']);
});

it('reports as left what cannot follow the session file', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/a.png': 'a' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), neighbours);
  const failure = new FileError(join(dir, 'p/x'), 'EIO', 'cannot move');
  const move = (path: string): Promise<void> =>
    path.endsWith('.jsonl') ? rm(path) : Promise.reject(failure);
  const left: FileError[] = [];
  expect(await moveSession(planned, move, (problem) => left.push(problem))).toBe('removed');
  expect(left).toEqual([failure]);
});
