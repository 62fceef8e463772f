import { lstat, mkdir, readdir, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { identify } from '../../../src/session/jsonl/files/identity/same-file.ts';
import { inDirectory, inDirectoryBelow } from '../../../src/store/output/hold-directory.ts';
import { removeFiles } from '../../../src/store/remove/remove-files.ts';
import { readTree } from '../../../src/store/sessions/file-tree.ts';
import { OutputDirectory } from '../../../src/store/output/output-directory.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

async function prepare() {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'a/log.txt': 'ours', 'victim/log.txt': 'theirs' });
  /** As somebody does who may write there. */
  const swap = async (): Promise<void> => {
    await rename(join(dir, 'a'), join(dir, 'moved'));
    await symlink(join(dir, 'victim'), join(dir, 'a'));
  };
  return { dir, swap };
}

it('acts in the directory that it has checked, when a link is put in its place', async () => {
  const { dir, swap } = await prepare();
  await inDirectory(join(dir, 'a'), identify(join(dir, 'a')), async (held) => {
    await swap();
    // Elsewhere than on Linux, nothing leads to an open directory.
    if (process.platform === 'linux') await unlink(join(held, 'log.txt'));
    else await unlink(join(dir, 'moved/log.txt'));
  });
  expect(await readdir(join(dir, 'moved'))).toEqual([]);
  expect(await readdir(join(dir, 'victim'))).toEqual(['log.txt']);
});

it('does nothing where a link is already in its place', async () => {
  const { dir, swap } = await prepare();
  const tree = await readTree(dir, 'a');
  await swap();
  await expect(removeFiles(tree)).rejects.toMatchObject({ code: 'ELINK' });
  expect(await readdir(join(dir, 'victim'))).toEqual(['log.txt']);
  expect((await lstat(join(dir, 'a'))).isSymbolicLink()).toBe(true);
});

it('refuses a link on the way, wherever it comes from', async () => {
  const { dir, swap } = await prepare();
  const make = (path: string) => mkdir(path, { recursive: true }).then(() => undefined);
  const add = (path: string) =>
    inDirectoryBelow(dir, join(dir, path), (held) => writeFile(join(held, 'new.txt'), ''), make);
  await add('a/b');
  await swap();
  await expect(add('a/b')).rejects.toMatchObject({ code: 'ELINK', path: join(dir, 'a') });
  expect(await readdir(join(dir, 'victim'))).toEqual(['log.txt']);
});

it.runIf(process.platform === 'linux')(
  'writes an export into the directory that it has checked, when a link is put in its place',
  async () => {
    const { dir, swap } = await prepare();
    const pieces = async function* () {
      yield 'one';
      await swap();
      yield 'two';
    };
    const { size } = await new OutputDirectory(dir, 0).write('a/new.txt', pieces());
    expect(size).toBe(6);
    expect(await readdir(join(dir, 'victim'))).toEqual(['log.txt']);
    expect(await readdir(join(dir, 'moved'))).toEqual(['log.txt', 'new.txt']);
  },
);

it('does nothing where directories have no numbers', async () => {
  const { dir } = await prepare();
  const nobody = { ...identify(join(dir, 'a')), ino: '0' };
  const act = () => Promise.resolve();
  await expect(inDirectory(join(dir, 'a'), nobody, act)).rejects.toMatchObject({
    code: 'ENOSYS',
    message: expect.stringContaining('use the trash') as string,
  });
});
