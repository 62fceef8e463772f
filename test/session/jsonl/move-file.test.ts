import { existsSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { moveFile } from '../../../src/session/jsonl/move-file.ts';
import { makeTempDir } from '../../temp-dir.ts';

async function setUp() {
  const dir = await makeTempDir();
  mkdirSync(join(dir, 'old'), { mode: 0o700 });
  const [from, to] = [join(dir, 'old/s'), join(dir, 'new/s')];
  writeFileSync(from, 'text');
  return { dir, from, to };
}

describe('moveFile', () => {
  it('moves into a new directory like the old one, which goes when it is empty', async () => {
    const { dir, from, to } = await setUp();
    await moveFile(from, to);
    expect(readFileSync(to, 'utf8')).toBe('text');
    expect(statSync(join(dir, 'new')).mode & 0o777).toBe(0o700);
    expect(existsSync(join(dir, 'old'))).toBe(false);
  });

  it('leaves a directory that holds something else', async () => {
    const { dir, from, to } = await setUp();
    writeFileSync(join(dir, 'old/notes'), '');
    await moveFile(from, to);
    expect(existsSync(join(dir, 'old/notes'))).toBe(true);
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
});
