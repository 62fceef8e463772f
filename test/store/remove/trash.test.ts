import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
} from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { fileExists } from '../../../src/session/jsonl/read/read-lines.ts';
import { findMountPoint } from '../../../src/store/files/mount-point.ts';
import { moveAcross } from '../../../src/store/remove/move-across.ts';
import { openTrash } from '../../../src/store/remove/trash.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const NOW = new Date(2027, 0, 15, 12).getTime();
const refuse = () => Promise.reject(new Error('permission denied, mkdir /data/.Trash-1000'));

async function prepare(platform: NodeJS.Platform) {
  const dir = await makeTempDir();
  await writeFiles(dir, { 's/für [1].jsonl': 'abc', 's/folder/x.png': 'img' });
  await utimes(join(dir, 's/folder/x.png'), 1_700_000_000, 1_700_000_000);
  const home = join(dir, 'home');
  const environment = { env: {}, home, now: () => NOW, platform, systemTrash: refuse };
  return { dir, environment, trash: join(home, '.local/share/Trash') };
}

test('goes to the trash in the home directory, with a private note', async () => {
  const { dir, environment, trash } = await prepare('linux');
  const path = join(dir, 's/für [1].jsonl');
  await (
    await openTrash(environment)
  )(path);
  expect(await fileExists(path)).toBe(false);
  const [name = ''] = await readdir(join(trash, 'files'));
  expect(await readFile(join(trash, 'files', name), 'utf8')).toBe('abc');
  const note = await readFile(join(trash, 'info', `${name}.trashinfo`), 'utf8');
  expect(note).toBe(
    `[Trash Info]\nPath=${encodeURI(dir)}/s/f%C3%BCr%20%5B1%5D.jsonl\nDeletionDate=2027-01-15T12:00:00\n`,
  );
  expect((await stat(trash)).mode & 0o777).toBe(0o700);
  expect((await stat(join(trash, 'info', `${name}.trashinfo`))).mode & 0o777).toBe(0o600);
});

test('takes a long name of any characters', async () => {
  const { dir, environment, trash } = await prepare('linux');
  const name = `${'語'.repeat(80)}😀.jsonl`;
  await writeFiles(dir, { [`s/${name}`]: 'abc' });
  await (
    await openTrash(environment)
  )(join(dir, 's', name));
  const [moved = ''] = await readdir(join(trash, 'files'));
  expect(moved).toMatch(/^語{66}\.[0-9a-f]{12}$/);
});

test('follows a link in the place of the trash in the home directory', async () => {
  const { dir, environment, trash } = await prepare('linux');
  await mkdir(join(dir, 'larger'), { mode: 0o700 });
  await mkdir(join(trash, '..'), { recursive: true });
  await symlink(join(dir, 'larger'), trash);
  await (
    await openTrash(environment)
  )(join(dir, 's/für [1].jsonl'));
  expect(await readdir(join(dir, 'larger/files'))).toHaveLength(1);
  expect(await readdir(join(dir, 'larger/info'))).toHaveLength(1);
});

test('ignores a data directory that is not absolute, as the specification has it', async () => {
  const { dir, environment, trash } = await prepare('linux');
  const path = join(dir, 's/für [1].jsonl');
  await (
    await openTrash({ ...environment, env: { XDG_DATA_HOME: 'data' } })
  )(path);
  expect(await readdir(join(trash, 'files'))).toHaveLength(1);
});

test('moves files and folders across file systems, with bytes, modes and times', async () => {
  const { dir } = await prepare('linux');
  await chmod(join(dir, 's/folder/x.png'), 0o640);
  await moveAcross(join(dir, 's/folder'), join(dir, 'moved'));
  await moveAcross(join(dir, 's/für [1].jsonl'), join(dir, 'one'));
  expect(await readdir(join(dir, 's'))).toEqual([]);
  expect(await readFile(join(dir, 'one'), 'utf8')).toBe('abc');
  expect(await readFile(join(dir, 'moved/x.png'), 'utf8')).toBe('img');
  const { mode, mtimeMs } = await stat(join(dir, 'moved/x.png'));
  expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_700_000_000_000]);
});

test('moves nothing across that holds a link, and leaves no copy', async () => {
  const { dir } = await prepare('linux');
  await symlink('/etc/passwd', join(dir, 's/folder/link'));
  await expect(moveAcross(join(dir, 's/folder'), join(dir, 'moved'))).rejects.toThrow('plain file');
  expect(await readdir(join(dir, 's/folder'))).toEqual(['link', 'x.png']);
  expect(await fileExists(join(dir, 'moved'))).toBe(false);
});

test('removes from the trash what killed runs left unfinished', async () => {
  const { dir, environment, trash } = await prepare('linux');
  const left = `.x.jsonl.99999999@${getOwnPlace()}.0123456789ab.coppice-tmp`;
  await writeFiles(trash, { [`files/${left}/picture.png`]: 'half', 'files/.kept.x': 'other' });
  await (
    await openTrash(environment)
  )(join(dir, 's/für [1].jsonl'));
  const names = await readdir(join(trash, 'files'));
  expect([names.length, names.includes(left), names.includes('.kept.x')]).toEqual([2, false, true]);
});

test('finds the file system of a path, of two that begin alike the right one', () => {
  const line = (point: string): string => `22 27 0:21 / ${point} rw,relatime - ext4 /dev/sda1 rw`;
  const table = ['/', '/data', '/data/a\\040b'].map(line).join('\n');
  const found = ['/data/x', '/database', '/data/a b/c', '/data'].map((path) => {
    return findMountPoint(path, table);
  });
  expect(found).toEqual(['/data', '/', '/data/a b', '/data']);
  expect(findMountPoint('/data', '')).toBeUndefined();
});

test('takes folders whole, with their times', async () => {
  const { dir, environment, trash } = await prepare('linux');
  await (
    await openTrash(environment)
  )(join(dir, 's/folder'));
  const [name = ''] = await readdir(join(trash, 'files'));
  const moved = await stat(join(trash, 'files', name, 'x.png'));
  expect(moved.mtimeMs).toBe(1_700_000_000_000);
});

test('keeps the note of each when the directory is removed behind the last', async () => {
  const { dir, environment, trash } = await prepare('linux');
  const names = Array.from({ length: 12 }, (_, at) => `p/${at}.jsonl`);
  await writeFiles(dir, Object.fromEntries(names.map((name) => [name, name])));
  const move = await openTrash(environment);
  const moves = names.map(async (name) => {
    await move(join(dir, name));
    await rmdir(join(dir, 'p')).catch(() => undefined);
  });
  await Promise.all(moves);
  expect(await readdir(join(trash, 'info'))).toHaveLength(names.length);
  expect(await readdir(join(trash, 'files'))).toHaveLength(names.length);
});

test('two of the same name do not meet', async () => {
  const { dir, environment, trash } = await prepare('linux');
  for (const project of ['a', 'b']) {
    await writeFiles(dir, { [`${project}/x.jsonl`]: project });
    await (
      await openTrash(environment)
    )(join(dir, project, 'x.jsonl'));
  }
  expect(await readdir(join(trash, 'files'))).toHaveLength(2);
});

test('leaves the file where it is when no trash takes it', async () => {
  const { dir, environment } = await prepare('darwin');
  const path = join(dir, 's/für [1].jsonl');
  await expect((await openTrash(environment))(path)).rejects.toThrow(
    'cannot move to the trash: permission denied, mkdir /data/.Trash-1000; use --archive',
  );
  expect(await readFile(path, 'utf8')).toBe('abc');
});

test('gives the cause in words, and each path once', async () => {
  const { dir, environment } = await prepare('darwin');
  const path = join(dir, 's/für [1].jsonl');
  const raw = `EACCES: permission denied, rename '${path}' -> '/data/x'`;
  const systemTrash = () => Promise.reject(Object.assign(new Error(raw), { code: 'EACCES' }));
  const remedy = 'use --archive <dir> or --delete';
  await expect((await openTrash({ ...environment, systemTrash }))(path)).rejects.toMatchObject({
    path,
    message: `cannot move to the trash: permission denied; ${remedy}`,
  });
  await writeFiles(dir, { home: 'a file' });
  await expect(
    (await openTrash({ ...environment, platform: 'linux' }))(path),
  ).rejects.toMatchObject({
    path,
    message: `cannot move to the trash: a part of the path is not a directory; ${remedy}`,
  });
});

test.each<NodeJS.Platform>(['linux', 'darwin'])(
  'does not count as its own what another run has taken: %s',
  async (platform) => {
    const { dir, environment, trash } = await prepare(platform);
    const systemTrash = () => Promise.resolve();
    const move = await openTrash({ ...environment, systemTrash });
    await expect(move(join(dir, 'gone.jsonl'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(trash).catch(() => [])).toEqual([]);
  },
);

test('does not count as its own what is gone while it is moved', async () => {
  const { dir, environment } = await prepare('darwin');
  const path = join(dir, 's/für [1].jsonl');
  const systemTrash = async () => {
    await rm(path);
    await stat(path);
  };
  const move = await openTrash({ ...environment, systemTrash });
  await expect(move(path)).rejects.toMatchObject({ path, code: 'ENOENT' });
});

test('names a file by its own path, not by the one that it was held by', async () => {
  const { dir, environment } = await prepare('darwin');
  const [path, held] = [join('/shown', 'folder'), join(dir, 's/folder')];
  for (const [name, shown] of [
    [held, 'cannot delete: no'],
    [join(held, 'x.png'), `${join(path, 'x.png')}: cannot delete: no`],
  ] as const) {
    const systemTrash = () => Promise.reject(new FileError(name, 'EPERM', 'cannot delete: no'));
    const move = await openTrash({ ...environment, systemTrash });
    await expect(move(path, held)).rejects.toThrow(`cannot move to the trash: ${shown};`);
  }
});
