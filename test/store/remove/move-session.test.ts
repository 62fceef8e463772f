import { appendFileSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { removeFiles } from '../../../src/store/remove/remove-files.ts';
import { moveSession, removeSession } from '../../../src/store/remove/remove-session.ts';
import { openTrash } from '../../../src/store/remove/trash.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

it('moves nothing out of a directory that was put in the place of the one it looked at', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/a.png': 'a', 'precious/x/b.txt': 'b' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), usualSidecars);
  const move = async (path: string, held = path): Promise<void> => {
    if (!path.endsWith('.jsonl')) return rm(held, { recursive: true });
    await rename(join(dir, 'p'), join(dir, 'old'));
    await symlink(join(dir, 'precious'), join(dir, 'p'));
  };
  await expect(moveSession(planned, move)).rejects.toThrow('is in its place');
  expect(await readdir(join(dir, 'precious/x'))).toEqual(['b.txt']);
});

it.each([
  ['while it is removed', 'p/x.jsonl', removeFiles],
  ['while its sidecars are looked at', 'p/x/a.png', removeSession],
])('removes nothing that another run has removed %s', async (_name, last, remove) => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/a.png': 'a' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), usualSidecars);
  await rm(join(dir, 'p/x.jsonl'));
  await rm(join(dir, last), { force: true });
  await expect(remove(planned)).rejects.toMatchObject({ code: 'ENOENT' });
});

it('keeps a file that came into a folder of the session a moment ago, and reports it', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/y/a.png': 'a' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), usualSidecars);
  await writeFiles(dir, { 'p/x/y/late.png': 'b' });
  await expect(removeFiles(planned)).rejects.toMatchObject({
    path: join(dir, 'p/x/y'),
    code: 'ENOTEMPTY',
  });
  expect(await readdir(join(dir, 'p'), { recursive: true })).toEqual([
    'x',
    join('x', 'y'),
    join('x', 'y', 'late.png'),
  ]);
});

it('takes along what is left of the sidecars of a session that it has moved', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x.jsonl.rejected': '', 'p/x/a.png': 'a' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), usualSidecars);
  const move = async (path: string): Promise<void> => {
    if (path.endsWith('.jsonl')) await rm(`${path}.rejected`);
    await rm(path, { recursive: true });
  };
  expect(await moveSession(planned, move)).toBe('removed');
  expect(await readdir(join(dir, 'p'))).toEqual([]);
});

it('takes along the sidecars behind one that cannot be moved', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x.jsonl.rejected': 'r', 'p/x/a.png': 'a' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), usualSidecars);
  const failure = new FileError(join(dir, 'p/x.jsonl.rejected'), 'EPERM', 'cannot move');
  const move = (path: string): Promise<void> =>
    path.endsWith('.rejected') ? Promise.reject(failure) : rm(path, { recursive: true });
  const left: FileError[] = [];
  expect(await moveSession(planned, move, (problem) => left.push(problem))).toBe('removed');
  expect(left).toEqual([failure]);
  expect(await readdir(join(dir, 'p'))).toEqual(['x.jsonl.rejected']);
});

it('reports as left what cannot follow the session file', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/a.png': 'a' });
  const planned = await readSessionFiles(join(dir, 'p/x.jsonl'), usualSidecars);
  const failure = new FileError(join(dir, 'p/x'), 'EIO', 'cannot move');
  const move = (path: string): Promise<void> =>
    path.endsWith('.jsonl') ? rm(path) : Promise.reject(failure);
  const left: FileError[] = [];
  expect(await moveSession(planned, move, (problem) => left.push(problem))).toBe('removed');
  expect(left).toEqual([failure]);
});

it('reports as left what it cannot know to be of the removed session', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}', 'p/x/a.png': 'a' });
  const [place, aside] = [join(dir, 'p'), join(dir, 'aside')];
  const planned = await readSessionFiles(join(place, 'x.jsonl'), usualSidecars);
  const move = async (path: string, _held?: string, look?: () => void): Promise<void> => {
    if (path.endsWith('.jsonl')) return rm(path);
    // A directory that cannot be looked up for this moment.
    renameSync(place, aside);
    symlinkSync('p', place);
    try {
      look?.();
    } finally {
      unlinkSync(place);
      renameSync(aside, place);
    }
  };
  const left: FileError[] = [];
  expect(await moveSession(planned, move, (problem) => left.push(problem))).toBe('removed');
  expect(left).toEqual([expect.objectContaining({ code: 'ELOOP' })]);
  expect(await readdir(join(dir, 'p/x'))).toEqual(['a.png']);
});

it('keeps a session that its agent has written to while the trash was made ready', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/x.jsonl': '{}\n', 'p/x/a.png': 'a' });
  const path = join(dir, 'p/x.jsonl');
  const planned = await readSessionFiles(path, usualSidecars);
  let writes = false;
  const now = (): number => {
    // The note in the trash has this time: the last look at all files was before.
    if (writes) appendFileSync(path, '{"late":true}\n');
    return Date.now();
  };
  const home = join(dir, 'home');
  const move = await openTrash({ env: {}, home, now, platform: 'linux' });
  writes = true;
  expect(await moveSession(planned, move)).toBe('changed');
  expect(await readFile(path, 'utf8')).toBe('{}\n{"late":true}\n');
  expect(await readdir(join(dir, 'p/x'))).toEqual(['a.png']);
  for (const part of ['files', 'info']) {
    expect(await readdir(join(home, '.local/share/Trash', part))).toEqual([]);
  }
});
