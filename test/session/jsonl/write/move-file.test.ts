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
import { moveFile } from '../../../../src/session/jsonl/write/move-file.ts';
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

  it('takes along what lies beside it under the given names, and nothing else', async () => {
    const { dir, from, to } = await setUp();
    mkdirSync(join(dir, 'old/folder'));
    for (const name of ['folder/1.png', 's.rejected', 'other'])
      writeFileSync(join(dir, 'old', name), '');
    await moveFile(from, to, [
      { name: 'folder', kind: 'directory' },
      { name: 's.rejected', kind: 'file' },
      { name: 'not-there', kind: 'file' },
    ]);
    expect(readdirSync(join(dir, 'new')).toSorted()).toEqual(['folder', 's', 's.rejected']);
    expect(readdirSync(join(dir, 'new/folder'))).toEqual(['1.png']);
    expect(readdirSync(join(dir, 'old'))).toEqual(['other']);
  });

  it('leaves what lies beside it where it is, if that name is taken', async () => {
    const { dir, from, to } = await setUp();
    mkdirSync(join(dir, 'new'));
    for (const name of ['old', 'new']) writeFileSync(join(dir, name, 's.rejected'), name);
    await moveFile(from, to, [{ name: 's.rejected', kind: 'file' }]);
    expect(readFileSync(`${to}.rejected`, 'utf8')).toBe('new');
    expect(readFileSync(`${from}.rejected`, 'utf8')).toBe('old');
  });

  it('takes along nothing of another kind: a file of a folder’s name is another’s', async () => {
    const { dir, from, to } = await setUp();
    mkdirSync(join(dir, 'old/s.rejected'));
    writeFileSync(join(dir, 'old/folder'), 'notes');
    await moveFile(from, to, [
      { name: 'folder', kind: 'directory' },
      { name: 's.rejected', kind: 'file' },
    ]);
    expect(readdirSync(join(dir, 'old')).toSorted()).toEqual(['folder', 's.rejected']);
    expect(readdirSync(join(dir, 'new'))).toEqual(['s']);
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
