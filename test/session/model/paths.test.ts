import { normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  expandHome,
  findNamesBelow,
  findPathSystem,
  isFitName,
  joinNames,
  mirrorPath,
  toDirectory,
} from '../../../src/session/model/paths.ts';

describe('a path is below a directory', () => {
  it.each([
    ['/work/api', '/work/api', []],
    ['/work/api/', '/work/api', []],
    ['/work/api/x/y', '/work/api/', ['x', 'y']],
    ['/work', '/', ['work']],
    ['/', '/', []],
    ['/work/./api/../web', '/work', ['web']],
    ['C:\\work\\api', 'C:\\work', ['api']],
    ['c:/Work/api', 'C:\\work\\', ['api']],
    ['C:\\work', 'C:\\', ['work']],
    ['C:\\Users\\..\\work\\x', 'c:\\WORK', ['x']],
    ['\\\\srv\\share\\proj\\x', '//SRV/share'.replaceAll('/', '\\'), ['proj', 'x']],
    ['\\\\?\\C:\\work\\x', 'C:/work', ['x']],
    ['\\\\?\\UNC\\srv\\share\\x', '\\\\srv\\share', ['x']],
  ])('%s is in %s', (path, directory, names) => {
    expect(findNamesBelow(path, directory)).toEqual(names);
  });
});

describe('a path is elsewhere', () => {
  it.each([
    ['/work/api2', '/work/api'],
    ['/Work/api', '/work'],
    ['/work/../etc', '/work'],
    ['C:\\work', '/'],
    ['/work', 'C:\\'],
    ['D:\\work', 'C:\\'],
    ['C:\\work2', 'C:\\work'],
    ['C:work', 'C:\\'],
    ['\\\\srv\\other\\x', '\\\\srv\\share'],
    ['', '/'],
    ['.', '/'],
    ['..', '/'],
    ['~', '/'],
    ['~/proj', '/'],
    ['rel/dir', '/'],
    ['rel/dir', 'rel'],
    ['\\\\srv', '/'],
  ])('%s is not in %s', (path, directory) => {
    expect(findNamesBelow(path, directory)).toBeUndefined();
  });
});

it.each([
  ['~', normalize('/h')],
  ['~/x', normalize('/h/x')],
  ['~x', '~x'],
  ['a/~/x', 'a/~/x'],
])('the home directory in %s stands for %s', (text, path) => {
  expect(expandHome(text, '/h')).toBe(path);
});

describe('a directory that a user names', () => {
  it.each([
    ['.', '/work'],
    ['api', '/work/api'],
    ['/etc/../srv', '/srv'],
    ['C:\\work', 'C:\\work'],
    ['\\\\srv\\share', '\\\\srv\\share'],
  ])('%s stands for %s', (text, directory) => {
    expect(toDirectory(text, '/work')).toBe(directory);
  });
});

it.each([
  ['', undefined],
  ['C:', undefined],
  ['~/x', undefined],
  ['/x', 'posix'],
  ['z:/x', 'windows'],
])('the system of %j is %s', (path, system) => {
  expect(findPathSystem(path)).toBe(system);
});

it('joins names in the way of the directory’s system', () => {
  expect(joinNames('/', ['a', 'b'])).toBe('/a/b');
  expect(joinNames('D:\\new', ['a', 'b'])).toBe('D:\\new\\a\\b');
  expect(joinNames('/work', [])).toBe('/work');
});

describe('a name of a file', () => {
  it.each([
    'con',
    'CON.jsonl',
    'nul .txt',
    'com1',
    'lpt\u00b2.md',
    'conout$',
    'a:b',
    'a\\b',
    'a/b',
    'end.',
    'end ',
    'what?',
    'a\tb',
  ])('%j is none that Windows can have', (name) => {
    expect(isFitName(name, 'windows')).toBe(false);
    expect(isFitName(name, 'posix')).toBe(!name.includes('/'));
  });

  it.each(['console', 'com10', 'a.con', '.hidden', 'é', '_con'])('%j is fit everywhere', (name) => {
    expect([isFitName(name, 'windows'), isFitName(name, 'posix')]).toEqual([true, true]);
  });
});

describe('a file below one of some roots', () => {
  it.each([
    ['/s/--a--/1.jsonl', ['/s'], '/out/--a--/1.jsonl'],
    ['/s/--a--/1.jsonl', ['/s', '/s/--a--'], '/out/1.jsonl'],
    ['/s/--a--/1.jsonl', ['/s/--a', '/t'], '/out/1.jsonl'],
    ['/s/1.jsonl', ['/'], '/out/s/1.jsonl'],
    ['/s/1.jsonl', ['/s/1.jsonl'], '/out/1.jsonl'],
  ])('%s below %j has the path %s', (path, roots, expected) => {
    expect(mirrorPath(path, roots, '/out')).toBe(expected);
  });
});
