import { dirname, join } from 'node:path';
import { FileError } from '../../../../errors.ts';
import { isUnreachable, orFileErrorSync } from '../../../jsonl/files/file-error.ts';
import { toDirectoryKey } from '../../../jsonl/files/identity/same-file.ts';
import { findRealPath, hasName } from '../../../jsonl/files/real-path.ts';
import { listReadable } from '../../../jsonl/files/list-directory.ts';
import type { AgentWorld } from '../../../dialect/surroundings/world.ts';
import type { HomesBeside } from '../../../model/sidecar.ts';
import { addTo } from '../../../model/tree/group-by.ts';
import { PROJECTS, PROMPTS } from './config.ts';
import { listConfigDirectories } from './default-stores.ts';

/**
 * Lists the directories of all projects whose sessions have sidecars in one directory of Claude Code: its own
 * first, and those of others that share one of these names with it, by links or mounts. People have one for each
 * account (`CLAUDE_CONFIG_DIR`) and link what these have in common: such a directory is beside it, or where a link
 * leads, which may be another path of its own.
 */
export function listSharedStores(
  config: string,
  names: readonly string[],
  known: HomesBeside,
): readonly string[] {
  const found = new Map<string | undefined, string>();
  for (const { at, real } of walkSharing(config, names, known)) {
    const store = join(at, PROJECTS);
    const key = real === undefined ? undefined : toDirectoryKey(real);
    if ((at === config || real !== undefined) && !found.has(key)) found.set(key, store);
  }
  return [...found.values()];
}

/** The answers of a run, for each directory of Claude Code. */
const sharing = new WeakMap<AgentWorld, Map<string, readonly string[]>>();

/**
 * Lists the other directories of Claude Code beside one, or where its links lead, that have its sessions as well: a
 * process of any of them may have one open, or keep notes on it. Looks once in a run.
 */
export function listSessionSharers(config: string, world: AgentWorld): readonly string[] {
  const known = sharing.get(world) ?? new Map<string, readonly string[]>();
  sharing.set(world, known);
  const found = known.get(config) ?? findSharers(config, world, [PROJECTS]);
  known.set(config, found);
  return found;
}

/** Lists the other directories of Claude Code there that have its list of prompts as well. */
export function listPromptSharers(config: string, world: AgentWorld): readonly string[] {
  return findSharers(config, world, [PROMPTS]);
}

/** The user's own directory may be a link: the others are beside that, and not where it leads. */
function findSharers(
  config: string,
  world: AgentWorld,
  names: readonly string[],
): readonly string[] {
  const real = findWithinReach(config);
  const links = listConfigDirectories(world).filter((one) => findWithinReach(one) === real);
  const starts = real === undefined ? [config] : [config, ...links];
  const known: HomesBeside = new Map();
  const found = starts.flatMap((start) => [...walkSharing(start, names, known)]);
  return [...new Set(found.map(({ at }) => at))].filter((at) => at !== config);
}

/** Walks from one directory of Claude Code to those that share one of these names with it, and on from there; `real`: its projects. */
function* walkSharing(
  config: string,
  names: readonly string[],
  known: HomesBeside,
): Generator<{ readonly at: string; readonly real: string | undefined }> {
  const configs = new Set([config]);
  // A set that grows is walked to its end.
  for (const at of configs) {
    const real = findProjects(at);
    yield { at, real };
    if (at !== config && real === undefined) continue;
    for (const other of listSharingConfigs(at, names, known)) configs.add(other);
  }
}

function listSharingConfigs(
  config: string,
  names: readonly string[],
  known: HomesBeside,
): readonly string[] {
  const home = dirname(config);
  const homes = known.get(home) ?? indexHomes(home, names);
  known.set(home, homes);
  return names.flatMap((name) => {
    const real = findRealPath(join(config, name));
    if (real === undefined) return [];
    return [...toKeys(name, real).flatMap((key) => homes.get(key) ?? []), dirname(real)];
  });
}

/** Maps what the directories of Claude Code in a directory have under these names, without links, to them. */
function indexHomes(
  home: string,
  names: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const homes = new Map<string, string[]>();
  for (const config of listReadable(home).map((name) => join(home, name))) {
    if (findProjects(config) === undefined) continue;
    for (const name of names) {
      const real = findWithinReach(join(config, name));
      if (real === undefined) continue;
      for (const key of toKeys(name, real)) addTo(homes, key, config);
    }
  }
  return homes;
}

/**
 * Finds the projects in a directory of Claude Code, without links; by their own path where they may be on a disk that
 * is not mounted, or does not answer.
 */
function findProjects(config: string): string | undefined {
  const projects = join(config, PROJECTS);
  return findWithinReach(projects) ?? (hasName(projects) ? projects : undefined);
}

/** The keys of a directory by its name: what is mounted at several places has a path without links at each. */
function toKeys(name: string, real: string): readonly string[] {
  return [...new Set([real, toDirectoryKey(real)])].map((key) => `${name}\0${key}`);
}

/** Undefined also for what is out of reach: a home may have a disk that does not answer, and what is only for the system. */
function findWithinReach(path: string): string | undefined {
  const found = orFileErrorSync(() => findRealPath(path));
  if (found instanceof FileError && !isUnreachable(found)) throw found;
  return found instanceof FileError ? undefined : found;
}
