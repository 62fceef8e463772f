import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../../src/session/jsonl/files/identity/same-file.ts';
import {
  matchBeginning,
  moveDirectory,
  moveFile,
} from '../../../../src/session/jsonl/write/move-file.ts';
import { makeTempDir } from '../../../temp-dir.ts';

async function setUp() {
  const dir = await makeTempDir();
  mkdirSync(join(dir, 'old'), { mode: 0o700 });
  const [from, to] = [join(dir, 'old/s'), join(dir, 'new/s')];
  writeFileSync(from, 'text');
  return { dir, from, to };
}

describe('moveFile', () => {
  it('keeps a file whose new directory is a link to its old one', async () => {
    const { dir, from, to } = await setUp();
    symlinkSync('old', join(dir, 'new'));
    await moveFile(from, to);
    expect(readFileSync(from, 'utf8')).toBe('text');
    expect(readdirSync(join(dir, 'old'))).toEqual(['s']);
  });

  it('moves the last files of a directory at once, in whatever order', async () => {
    const { dir } = await setUp();
    for (let lead = 0; lead < 24; lead += 1) {
      const [old, now] = [join(dir, `old-${lead}`), join(dir, `new-${lead}`)];
      mkdirSync(old);
      for (const name of ['a', 'b']) writeFileSync(join(old, name), name);
      const first = moveFile(join(old, 'a'), join(now, 'a'));
      for (let turn = 0; turn < lead; turn += 1) await setImmediate();
      await Promise.all([first, moveFile(join(old, 'b'), join(now, 'b'))]);
      expect(readdirSync(now).toSorted()).toEqual(['a', 'b']);
    }
  });

  it('moves into a new directory like the old one, which stays', async () => {
    const { dir, from, to } = await setUp();
    await moveFile(from, to);
    expect(readFileSync(to, 'utf8')).toBe('text');
    expect(statSync(join(dir, 'new')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(dir, 'old'))).toEqual([]);
  });

  it('never takes a name that is taken', async () => {
    const { from, to, dir } = await setUp();
    mkdirSync(join(dir, 'new'));
    writeFileSync(to, 'other');
    await expect(moveFile(from, to)).rejects.toMatchObject({ code: 'EEXIST' });
    expect([readFileSync(from, 'utf8'), readFileSync(to, 'utf8')]).toEqual(['text', 'other']);
  });

  it('finishes a move that was interrupted with both names there', async () => {
    const { from, to, dir } = await setUp();
    mkdirSync(join(dir, 'new'));
    linkSync(from, to);
    await moveFile(from, to);
    expect([existsSync(from), readFileSync(to, 'utf8')]).toEqual([false, 'text']);
  });

  it.each<[string, (to: string) => void]>([
    ['a directory', (to) => mkdirSync(to)],
    ['a link that leads nowhere', (to) => symlinkSync('/nowhere', to)],
  ])('takes it from %s no more than from a file', async (_, occupy) => {
    const { from, to, dir } = await setUp();
    mkdirSync(join(dir, 'new'));
    occupy(to);
    await expect(moveFile(from, to)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(readFileSync(from, 'utf8')).toBe('text');
  });

  it('says what it could not do, and leaves the file', async () => {
    const { dir, from, to } = await setUp();
    writeFileSync(join(dir, 'new'), '');
    await expect(moveFile(from, to)).rejects.toMatchObject({ name: 'FileError', path: to });
    expect(readFileSync(from, 'utf8')).toBe('text');
    const gone = join(dir, 'gone/s');
    await expect(moveFile(gone, join(dir, 'there'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('moveDirectory', () => {
  async function setUpFolder() {
    const { dir } = await setUp();
    const [from, to] = [join(dir, 'old/folder'), join(dir, 'new/folder')];
    mkdirSync(from);
    writeFileSync(join(from, '1.png'), '');
    return { dir, from, to };
  }

  it('moves into a new directory, and in the place of an empty one', async () => {
    const { from, to } = await setUpFolder();
    await moveDirectory(from, to);
    expect([existsSync(from), readdirSync(to)]).toEqual([false, ['1.png']]);
    mkdirSync(from);
    await moveDirectory(to, from);
    expect([existsSync(to), readdirSync(from)]).toEqual([false, ['1.png']]);
  });

  it.each<[string, (to: string) => void]>([
    ['a file', (to) => writeFileSync(to, '')],
    ['a directory with something in it', (to) => mkdirSync(join(to, 'a'), { recursive: true })],
    ['a link', (to) => symlinkSync('.', to)],
  ])('never takes its name from %s', async (_, occupy) => {
    const { dir, from, to } = await setUpFolder();
    mkdirSync(join(dir, 'new'));
    occupy(to);
    await expect(moveDirectory(from, to)).rejects.toMatchObject({ name: 'FileError', path: to });
    expect(readdirSync(from)).toEqual(['1.png']);
  });

  it('keeps a directory whose new place is a link to its old one', async () => {
    const { dir, from, to } = await setUpFolder();
    symlinkSync('old', join(dir, 'new'));
    await moveDirectory(from, to);
    expect(readdirSync(from)).toEqual(['1.png']);
  });
});

it('takes no file for another one that may be the same by another mount', async () => {
  const { dir, from } = await setUp();
  const other = join(dir, 'other');
  writeFileSync(other, 'text, and more');
  const own = identify(from);
  const measure = async (path: string, source = own) => {
    async function* chunks() {
      yield readFileSync(from);
    }
    return (await matchBeginning(path, chunks(), source))?.bytes;
  };
  expect(await measure(other)).toBe(4);
  expect(await measure(from)).toBeUndefined();
  expect(await measure(other, { ...own, dev: 'another' })).toBeUndefined();
});
