import { stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { Dialect, ProjectStore } from '../../session/dialect/dialect.ts';
import type { Agent } from '../../session/model/agent.ts';
import { dialects } from '../../session/agents/index.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { isBelow } from '../../session/model/paths.ts';
import { isGone } from '../files/stat-file.ts';
import { readSettings } from '../settings/settings.ts';
import type { AgentWorld, StoreWorld } from '../../session/dialect/surroundings/world.ts';

function toStoreWorld(world: AgentWorld): StoreWorld {
  return { ...world, readSettings };
}

async function isStore(path: string, { takesUnread = false }: StoreOptions): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem) || takesUnread) return !isMissing(problem);
    throw new UsageError(`${path}: ${problem.message}`, { cause: error });
  }
}

/** Options for finding stores when none is named. */
export interface StoreOptions {
  /**
   * Takes, too, the store that the settings of the project in the working directory name, as the agent does.
   * For commands that only read: a project may come from a stranger.
   */
  readonly followsProject?: boolean;
  /**
   * Takes a store, too, that cannot be looked up: the search says why, and the run continues with the others. Not for
   * `prune`, since a session there may need one that is removed.
   */
  readonly takesUnread?: boolean;
  /** The agent that was asked for: where there is no store, the error names the places of this one. */
  readonly agent?: Agent | undefined;
}

/**
 * The directories to search: the named ones, or else the agents' own that exist.
 * @throws UsageError when a named one is none, or no agent has one.
 */
export async function findStores(
  named: readonly string[],
  world: AgentWorld,
  options: StoreOptions = {},
): Promise<readonly string[]> {
  const stores = named.map((path) => resolve(world.cwd, path));
  for (const store of stores) {
    if (await isStore(store, options)) continue;
    const problem = isGone(store) ? 'no such directory' : 'is not a directory';
    throw new UsageError(`--store ${store}: ${problem}`);
  }
  return stores.length > 0 ? stores : findExistingStores(world, options);
}

/** Finds the stores, or none if no agent has one. */
export async function findStoresIfAny(
  named: readonly string[],
  world: AgentWorld,
  options: StoreOptions = {},
): Promise<readonly string[]> {
  if (named.length > 0) return findStores(named, world, options);
  return filterExisting(await listAgentStores(world, options), options);
}

/**
 * Finds the stores for a run that can do without them: none if the agents' own cannot be looked up
 * either.
 */
export async function findStoresAroundTargets(
  named: readonly string[],
  world: AgentWorld,
  options: StoreOptions = {},
): Promise<readonly string[]> {
  try {
    return await findStoresIfAny(named, world, options);
  } catch (error) {
    if (error instanceof UsageError && named.length === 0) return [];
    throw error;
  }
}

/** Stores that the project in the working directory names, and that are none of the user's own. */
export async function findStoresOfProject(
  given: AgentWorld,
  own: readonly string[],
): Promise<readonly ProjectStore[]> {
  const world = toStoreWorld(given);
  const found: ProjectStore[] = [];
  for (const dialect of dialects) {
    const store = await dialect.places.findProjectStore?.(world);
    if (store && !own.includes(store.path) && (await isStore(store.path, {}))) found.push(store);
  }
  return found;
}

async function findExistingStores(
  world: AgentWorld,
  options: StoreOptions,
): Promise<readonly string[]> {
  const stores = await listAgentStores(world, options);
  const existing = await filterExisting(stores, options);
  if (existing.length > 0) return existing;
  const asked = await listAgentStores(world, options, ofAgent(options.agent));
  throw new UsageError(
    `no session store here: looked for ${asked.join(', ')}. Name one with --store <dir>.`,
  );
}

/** Makes a test of whether a dialect is that of an agent; undefined: of any. */
function ofAgent(agent: Agent | undefined): (dialect: Dialect) => boolean {
  return (dialect) => agent === undefined || dialect.agent === agent;
}

/**
 * Makes a test of whether a path is in a store of another agent than the one that was asked for, and in none of this one:
 * no session of this agent is written there.
 */
export async function createOtherAgentTest(
  agent: Agent,
  world: AgentWorld,
  options: StoreOptions,
): Promise<(path: string) => boolean> {
  const isAsked = ofAgent(agent);
  const own = await listAgentStores(world, options, isAsked);
  const others = await listAgentStores(world, options, (dialect) => !isAsked(dialect));
  const isIn = (path: string, stores: readonly string[]): boolean =>
    stores.some((store) => path === store || isBelow(path, store));
  return (path) => isIn(path, others) && !isIn(path, own);
}

/** Lists the stores of the agents, whether they exist or not. */
export async function listAgentStores(
  given: AgentWorld,
  { followsProject = false }: StoreOptions = {},
  isAsked: (dialect: Dialect) => boolean = () => true,
): Promise<readonly string[]> {
  const world = toStoreWorld(given);
  const stores = await Promise.all(
    dialects.filter(isAsked).map(async (dialect) => {
      const project = followsProject ? await dialect.places.findProjectStore?.(world) : undefined;
      return project ? [project.path] : dialect.places.defaultStores(world);
    }),
  );
  return stores.flat();
}

async function filterExisting(
  paths: readonly string[],
  options: StoreOptions,
): Promise<readonly string[]> {
  const existing: string[] = [];
  for (const path of paths) if (await isStore(path, options)) existing.push(path);
  return existing;
}

/** The outermost directory that was searched and holds the file; its own when it was named. */
export function findStore(path: string, stores: readonly string[]): string {
  const around = stores.filter((store) => isBelow(path, store));
  const [outermost] = around.toSorted((a, b) => a.length - b.length);
  return outermost ?? path.slice(0, path.lastIndexOf(sep));
}
