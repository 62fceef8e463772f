import { describe, expect, it } from 'vitest';
import {
  surroundings,
  toProjectDirectoryName,
} from '../../../../../src/session/agents/neovate/places/surroundings.ts';

describe('toProjectDirectoryName', () => {
  it.each([
    ['/Users/Jane Doe/My_Project', 'users-jane-doe-my-project'],
    ['C:\\Users\\x\\proj', 'c-users-x-proj'],
    ['/tmp/中文/项目', 'tmp'],
    ['/home/u/demo-project', 'home-u-demo-project'],
    ['/', ''],
  ])('names the directory of %s as the real one does', (cwd, name) => {
    expect(toProjectDirectoryName(cwd)).toBe(name);
  });
});

describe('the working directory of a session', () => {
  const typed = (...cwds: string[]) => {
    return { projects: Object.fromEntries(cwds.map((cwd) => [cwd, { history: [] }])) };
  };
  const HOME = '/home/u/.neovate';

  it('is looked up in the history beside the projects', () => {
    expect(surroundings.findFile(`${HOME}/projects/a-b/x.jsonl`)).toBe(`${HOME}/data.json`);
    expect(surroundings.findFile(`${HOME}/projects/x.jsonl`)).toBe(`${HOME}/data.json`);
    expect(surroundings.findFile(`${HOME}/projects/projects/x.jsonl`)).toBe(`${HOME}/data.json`);
  });

  it.each([
    ['the only one of that name', ['/a-b/c', '/d'], 'a-b-c', '/a-b/c'],
    ['none where two have the name', ['/a-b/c', '/a/b-c'], 'a-b-c', undefined],
    ['none that is not there', ['/d'], 'a-b-c', undefined],
    ['not fooled by keys that every object has', ['__proto__'], 'constructor', undefined],
  ])('is %s', (_, cwds, name, expected) => {
    const find = surroundings.createCwdFinder(typed(...cwds));
    expect(find(`${HOME}/projects/${name}/x.jsonl`)).toBe(expected);
  });

  it('is the root where the session lies among the projects', () => {
    expect(surroundings.createCwdFinder(typed('/', '/d'))(`${HOME}/projects/x.jsonl`)).toBe('/');
  });

  it('is unknown where the history makes no sense', () => {
    const find = surroundings.createCwdFinder({ projects: ['x'] });
    expect(find(`${HOME}/projects/a/x.jsonl`)).toBeUndefined();
  });
});
