import { lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeDirectories } from '../../../../src/session/jsonl/files/make-directories.ts';
import { makeTempDir } from '../../../temp-dir.ts';

let root: string;

beforeEach(async () => {
  root = await makeTempDir();
});

describe('makeDirectories', () => {
  it('makes all that lead to one, and returns the first', () => {
    expect(makeDirectories(join(root, 'a/b/c'))).toBe(join(root, 'a'));
    expect(makeDirectories(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'));
    expect(makeDirectories(join(root, 'a/b/d'))).toBeUndefined();
    expect(lstatSync(join(root, 'a/b/c')).isDirectory()).toBe(true);
  });

  it('makes none where a file is, or below it', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeDirectories(join(root, 'file'))).toThrow(/ENOTDIR/);
    expect(() => makeDirectories(join(root, 'file/a/b'))).toThrow(/ENOTDIR/);
  });

  it('ends where a directory cannot be made that is missing', () => {
    symlinkSync(join(root, 'nowhere'), join(root, 'link'));
    expect(() => makeDirectories(join(root, 'link/a/b'))).toThrow(/EEXIST/);
    // macOS has no /proc, and lets nobody make one.
    expect(() => makeDirectories('/proc/nowhere/a')).toThrow(/ENOENT|EROFS|EACCES/);
  });
});
