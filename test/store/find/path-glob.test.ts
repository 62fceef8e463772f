import { describe, expect, it } from 'vitest';
import {
  createPathMatcher,
  findGlobFault,
  toAbsoluteGlob,
} from '../../../src/store/find/path-glob.ts';

const fits = (glob: string, path: string): boolean => createPathMatcher([glob])(path);

describe('a glob over paths', () => {
  it.each([
    ['/p/**/broken/**', '/p/broken/a.jsonl'],
    ['/p/**/broken/**', '/p/x/y/broken/z/a.jsonl'],
    ['/p/**/broken', '/p/x/broken/a.jsonl'],
    ['/p/*.jsonl', '/p/a.jsonl'],
    ['/p/??.jsonl', '/p/a\u{1F333}.jsonl'],
    ['/p/**', '/p/x/y'],
    ['/p/\\*', '/p/*'],
    ['/p/[a]{b,c}', '/p/[a]{b,c}'],
    ['/**/a', '/a'],
  ])('%s fits %s', (glob, path) => expect(fits(glob, path)).toBe(true));

  it.each([
    ['/p/**/broken/**', '/p/unbroken/a.jsonl'],
    ['/p/**/broken', '/p/broken.jsonl'],
    ['/p/*.jsonl', '/p/x/a.jsonl'],
    ['/p/?.jsonl', '/p//.jsonl'],
    ['/p/x', '/q/p/x'],
    ['/p/\\*', '/p/x'],
  ])('%s does not fit %s', (glob, path) => expect(fits(glob, path)).toBe(false));

  it.each([
    ['sub/**', 'C:\\Work\\sub\\a.jsonl', true],
    ['sub\\*.jsonl', 'c:\\work\\SUB\\a.jsonl', true],
    ['c:/work/**', 'C:\\Work\\sub\\a.jsonl', true],
    ['~/x', 'C:\\Users\\me\\X\\a.jsonl', true],
    ['/other/*', 'C:\\other\\a.jsonl', true],
    ['/other/*', 'D:\\other\\a.jsonl', false],
    ['**/a', 'D:\\other\\x\\A\\b', true],
    ['**\\a', 'D:\\other\\a', true],
    ['**/a', 'D:\\other\\xa', false],
    ['\\\\srv\\share\\**', '\\\\SRV\\share\\x', true],
  ])('on Windows, %s and %s: %s', (glob, path, isFit) => {
    expect(fits(toAbsoluteGlob(glob, 'C:\\work', 'C:\\Users\\me'), path)).toBe(isFit);
  });

  it('is relative to a directory, whose own name stands for itself', () => {
    expect(toAbsoluteGlob('y/**/x', '/a*b', '/h')).toBe('/a\\*b/y/**/x');
    expect(toAbsoluteGlob('./x', '/', '/h')).toBe('/x');
    expect(toAbsoluteGlob('../**/x', '/a/b', '/h')).toBe('/a/**/x');
    expect(toAbsoluteGlob('~/x', '/a', '/h')).toBe('/h/x');
    expect(toAbsoluteGlob('/x', '/a', '/h')).toBe('/x');
    expect(fits(toAbsoluteGlob('*', '/a*b', '/h'), '/a*b/c')).toBe(true);
    expect(fits(toAbsoluteGlob('*', '/a*b', '/h'), '/axb/c')).toBe(false);
  });

  it('fits in any directory, also outside of that one, where it begins so', () => {
    expect(fits(toAbsoluteGlob('**/broken/**', '/a', '/h'), '/h/x/broken/a.jsonl')).toBe(true);
    expect(fits(toAbsoluteGlob('**/broken/**', '/a', '/h'), '/broken/a.jsonl')).toBe(true);
    expect(fits(toAbsoluteGlob('**/broken/**', '/a', '/h'), '/h/unbroken/a.jsonl')).toBe(false);
  });

  it('answers also where a pattern would be tried in ever more ways', () => {
    expect(fits(`/${'**/*a*'.repeat(40)}b`, `/${'a'.repeat(4000)}`)).toBe(false);
  });

  it('is one of a bounded number, of a bounded length', () => {
    expect(findGlobFault(['x'.repeat(301)])).toBe('has a glob of more than 300 characters');
    expect(findGlobFault(Array.from({ length: 101 }, () => 'x'))).toBe('has more than 100 globs');
    expect(findGlobFault(['x'.repeat(300)])).toBeUndefined();
  });
});
