import { basename, dirname, join, resolve } from 'node:path';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { isBelow } from '../../../session/model/paths.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { createResolver, getFileKey, getRealPath, orPath } from '../../files/stat-file.ts';
import { type Discovery, discoverIn, joinDiscoveries } from '../../find/discover.ts';
import { findStoresIfAny } from '../../find/roots.ts';
import { resolveTargets, searchStores, type TargetOptions } from '../../find/targets.ts';
import { type FoundFile, toProblem } from '../../select/found-file.ts';

/** The files that prune reads. */
export interface Targets {
  /** The files of the targets, and all other files of their stores. */
  readonly files: readonly FoundFile[];
  /** The paths of the former. */
  readonly targets: ReadonlySet<string>;
  /** Directories that were searched; none of them is emptied by accident. */
  readonly stores: readonly string[];
  /** Those of them that the user named as stores: each keeps its last session, also in the folder of one. */
  readonly named?: readonly string[];
  readonly problems: readonly FileProblem[];
}

export interface TargetSearch extends Pick<TargetOptions, 'findStores' | 'narrowing'> {
  /** Files, directories, globs and ids; empty: everything in the stores. */
  readonly names: readonly string[];
  /** Directories that the user named as stores; empty: the agents' own. */
  readonly stores: readonly string[];
}

/** Finds the files of the targets, and of the stores around them. */
export async function findTargets(
  { names, stores: given, findStores, narrowing }: TargetSearch,
  world: AgentWorld,
): Promise<Targets> {
  if (names.length === 0) {
    const stores = await findStores();
    const found = await searchWhole(stores);
    const files = given.length > 0 ? await searchAliases(found.files, world) : found.files;
    return { ...found, files, named: given.length > 0 ? stores : [] };
  }
  const { cwd } = world;
  const asked = await resolveTargets(names, { cwd, findStores, narrowing });
  const stores = await findStoresIfAny(given, world);
  const around = await searchStores(stores);
  const beside = await searchBeside(asked, around);
  const targets = new Set(asked.files.map(({ path }) => path));
  const files = [...asked.files, ...findOthers(asked, [...around.files, ...beside.files])];
  const roots = names.map((name) => resolve(cwd, name));
  const problems = [asked, around, beside].flatMap((one) => one.problems).map(toProblem);
  const stored = [...stores, ...roots];
  const named =
    given.length > 0 ? await searchAliases(files, world) : withAliases(files, around.files, stores);
  const own = given.length > 0 ? stores : [];
  return { files: named, targets, stores: stored, named: own, problems };
}

/** Takes every file of some stores as a target. */
async function searchWhole(stores: readonly string[]): Promise<Targets> {
  const { files, problems } = await searchStores(stores);
  const targets = new Set(files.map(({ path }) => path));
  return { files, targets, stores, problems: problems.map(toProblem) };
}

/** Adds aliases, like `withAliases`, for the agents' own stores if others were searched. */
async function searchAliases(
  files: readonly FoundFile[],
  world: AgentWorld,
): Promise<readonly FoundFile[]> {
  const stores = await findStoresIfAny([], world);
  return withAliases(files, (await searchStores(stores)).files, stores);
}

/**
 * Adds the path by which an agent finds a file that was named by the path to which a link of its store leads.
 * `own`: what is in the agent's `stores`.
 */
function withAliases(
  files: readonly FoundFile[],
  own: readonly FoundFile[],
  stores: readonly string[],
): readonly FoundFile[] {
  const findReal = createResolver();
  const toReal = ({ path, explicit, linked }: FoundFile): string =>
    // A file that was found in a directory, without a link, has its name there.
    explicit || linked ? orPath(getRealPath, path) : join(findReal(dirname(path)), basename(path));
  const links = stores.filter((store) => findReal(store) !== store);
  const isBehind = (path: string): boolean => links.some((store) => isBelow(path, store));
  const behind = own.filter(({ path, linked }) => linked || isBehind(path));
  const aliases = new Map(behind.map((file) => [toReal(file), file.path]));
  if (aliases.size === 0) return files;
  return files.map((file) => {
    const alias = aliases.get(toReal(file));
    return alias === undefined || alias === file.path ? file : { ...file, alias };
  });
}

/**
 * Finds the files in the directories of targets that are in no searched store: their forks are there.
 */
async function searchBeside(asked: Discovery, around: Discovery): Promise<Discovery> {
  const known = new Set(around.files.map(({ path }) => dirname(path)));
  const directories = new Set(asked.files.map(({ path }) => dirname(path)));
  const unknown = [...directories].filter((directory) => !known.has(directory));
  return joinDiscoveries(await Promise.all(unknown.map((directory) => discoverIn(directory))));
}

/**
 * Finds the files that are not targets. A target that was named by another path, as through a link, is
 * not among them.
 */
function findOthers(asked: Discovery, all: readonly FoundFile[]): readonly FoundFile[] {
  const known = new Set(asked.files.map(({ path }) => path));
  const others = all.filter(({ path }) => !known.has(path));
  if (others.length === 0) return others;
  const names = new Set(asked.files.map(({ path }) => basename(path)));
  const keys = new Set(asked.files.map(({ path }) => orPath(getFileKey, path)));
  return others.filter(({ path }) => {
    if (keys.has(path)) return false;
    return !names.has(basename(path)) || !keys.has(orPath(getFileKey, path));
  });
}
