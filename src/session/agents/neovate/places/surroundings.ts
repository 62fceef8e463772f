import { basename, dirname, join } from 'node:path';
import type { Surroundings } from '../../../dialect/dialect.ts';
import { getObject } from '../../../jsonl/edit/json.ts';
import { groupBy } from '../../../model/tree/group-by.ts';
import { PROJECTS } from './default-stores.ts';

/**
 * The name of the directory that Neovate 0.17.1 keeps the sessions of a working directory in. Not
 * reversible; empty for the root directory, whose sessions are among the directories of the others.
 */
export function toProjectDirectoryName(cwd: string): string {
  return cwd
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/** Only the history of typed prompts names the working directory of a session. */
export const surroundings: Surroundings = {
  findFile: (path) => join(dirname(findProjects(path)), 'data.json'),
  toName: toProjectDirectoryName,
  createCwdFinder(content) {
    const cwds = groupBy(Object.keys(getObject(content, 'projects') ?? {}), toProjectDirectoryName);
    return (path) => {
      const directory = dirname(path);
      const name = directory === findProjects(path) ? '' : basename(directory);
      const [cwd, ...others] = cwds.get(name) ?? [];
      // Two directories of one name: better none than the wrong one.
      return others.length > 0 ? undefined : cwd;
    };
  },
};

/** The directory of all projects, by the path of a session. */
export function findProjects(path: string): string {
  const directory = dirname(path);
  const above = dirname(directory);
  const isAmongProjects = basename(directory) === PROJECTS && basename(above) !== PROJECTS;
  return isAmongProjects ? directory : above;
}
