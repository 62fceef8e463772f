import { join, resolve } from 'node:path';
import type { AgentWorld, StoreWorld } from '../../../dialect/surroundings/world.ts';
import { PROJECTS } from './config.ts';

const MAX_LENGTH = 200;

/**
 * The folder in which Claude Code keeps the sessions of a working directory (1.0.59 to 2.1.332):
 * everything but letters and digits of ASCII becomes a hyphen, and a long name is cut, with a hash
 * of the path at its end. Different directories may have one folder.
 */
export function toFolderName(cwd: string): string {
  const name = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
  if (name.length <= MAX_LENGTH) return name;
  let hash = 0;
  for (let at = 0; at < cwd.length; at += 1) hash = (Math.imul(hash, 31) + cwd.charCodeAt(at)) | 0;
  return `${name.slice(0, MAX_LENGTH)}-${Math.abs(hash).toString(36)}`;
}

/** Lists the directories of Claude Code: another one if the environment names it, from where it runs. */
export function listConfigDirectories({ env, home, cwd }: AgentWorld): readonly string[] {
  const own = join(home, '.claude');
  const { CLAUDE_CONFIG_DIR: named } = env;
  if (named === undefined || named === '') return [own];
  return [...new Set([resolve(cwd, named), own])];
}

/** The directory of all projects: sessions from before the environment named another one count, too. */
export function findDefaultStores(world: StoreWorld): Promise<readonly string[]> {
  return Promise.resolve(listConfigDirectories(world).map((path) => join(path, PROJECTS)));
}
