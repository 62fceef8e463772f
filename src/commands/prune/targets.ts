import { basename, dirname, resolve } from 'node:path';
import { type Discovery, discoverIn } from '../../store/find/discover.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { findStores, findStoresIfAny } from '../../store/find/roots.ts';
import { isBelow } from '../../session/model/paths.ts';
import { getFileKey, getRealPath } from '../../store/files/stat-file.ts';
import { readSettings } from '../../store/settings/settings.ts';
import { resolveTargets, searchStores } from '../../store/find/targets.ts';
import type { StoreEnvironment } from '../../session/dialect/surroundings/environment.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { toProblem } from '../../store/select/found-file.ts';
import {
  createNarrowing,
  expandTargets,
  noteProjectStores,
  noteShard,
} from '../shared/select/targets.ts';
import type { FileProblem } from '../../session/model/summary.ts';

/** The files that prune reads. */
export interface Targets {
  /** The files of the targets, and all other files of their stores. */
  readonly files: readonly FoundFile[];
  /** The paths of the former. */
  readonly targets: ReadonlySet<string>;
  /** Directories that were searched; none of them is emptied by accident. */
  readonly stores: readonly string[];
  readonly problems: FileProblem[];
}

/** Finds the files of the targets, and of the stores around them. */
export async function findTargets(request: SelectionRequest, context: Context): Promise<Targets> {
  const environment = { ...context, readSettings };
  await noteShard(request, context);
  const findNamed = async () => {
    await noteProjectStores(request, context);
    return findStores(request.stores, environment);
  };
  const names = await expandTargets(request, context);
  if (names.length === 0) {
    const stores = await findNamed();
    const { files, problems } = await searchStores(stores);
    const targets = new Set(files.map(({ path }) => path));
    const named = request.stores.length > 0 ? await searchAliases(files, environment) : files;
    return { files: named, targets, stores, problems: problems.map(toProblem) };
  }
  const asked = await resolveTargets(names, {
    cwd: context.cwd,
    findStores: findNamed,
    narrowing: createNarrowing(request, context),
  });
  const stores = await findStoresIfAny(request.stores, environment);
  const around = await searchStores(stores);
  const beside = await searchBeside(asked, around);
  const targets = new Set(asked.files.map(({ path }) => path));
  const files = [...asked.files, ...findOthers(asked, [...around.files, ...beside])];
  const roots = names.map((name) => resolve(context.cwd, name));
  const problems = [...asked.problems, ...around.problems].map(toProblem);
  const stored = [...stores, ...roots];
  const named =
    request.stores.length > 0
      ? await searchAliases(files, environment)
      : withAliases(files, around.files, stores);
  return { files: named, targets, stores: stored, problems };
}

/** As `withAliases`, for the agents' own stores where others were searched. */
async function searchAliases(
  files: readonly FoundFile[],
  environment: StoreEnvironment,
): Promise<readonly FoundFile[]> {
  const stores = await findStoresIfAny([], environment);
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
  const links = stores.filter((store) => getRealPath(store) !== store);
  const isBehind = (path: string): boolean => links.some((store) => isBelow(path, store));
  const behind = own.filter(({ path, linked }) => linked || isBehind(path));
  const aliases = new Map(behind.map(({ path }) => [getRealPath(path), path]));
  if (aliases.size === 0) return files;
  return files.map((file) => {
    const alias = aliases.get(getRealPath(file.path));
    return alias === undefined || alias === file.path ? file : { ...file, alias };
  });
}

/**
 * Finds the files in the directories of targets that are in no searched store: their forks are there.
 */
async function searchBeside(asked: Discovery, around: Discovery): Promise<readonly FoundFile[]> {
  const known = new Set(around.files.map(({ path }) => dirname(path)));
  const directories = new Set(asked.files.map(({ path }) => dirname(path)));
  const unknown = [...directories].filter((directory) => !known.has(directory));
  const found = await Promise.all(unknown.map((directory) => discoverIn(directory)));
  return found.flatMap(({ files }) => files);
}

/**
 * Finds the files that are not targets. A target that was named by another path, as through a link, is
 * not among them.
 */
function findOthers(asked: Discovery, all: readonly FoundFile[]): readonly FoundFile[] {
  const names = new Set(asked.files.map(({ path }) => basename(path)));
  const paths = new Set(asked.files.flatMap(({ path }) => [path, getFileKey(path)]));
  return all.filter(({ path }) => {
    if (paths.has(path)) return false;
    return !names.has(basename(path)) || !paths.has(getFileKey(path));
  });
}
