import { join, relative } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import { usualSidecars } from '../../session/dialect/surroundings/sidecars.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { LivenessDialect, WriterLock } from '../../session/dialect/surroundings/liveness.ts';
import type { Agent } from '../../session/model/agent.ts';
import { isBelow, listAbove } from '../../session/model/paths.ts';
import { getFileKey, getRealPath } from '../files/stat-file.ts';

/** The places that show whether a session is open: homes of its agent, and the paths by which it is known. */
export interface LivenessPlaces {
  readonly liveness: LivenessDialect;
  readonly homes: readonly string[];
  readonly paths: readonly string[];
}

/**
 * The homes of an agent that a session file is in, by its path or by where that leads; undefined for an
 * agent of which no one sees what it has open.
 */
export function findHomes(agent: Agent, path: string): LivenessPlaces | undefined {
  const { liveness } = getDialect(agent);
  if (!liveness) return undefined;
  const paths = [...new Set([path, getRealPath(path)])];
  const homes = paths.flatMap((one) => liveness.findHome(one) ?? []);
  return { liveness, homes: keepFirst(homes), paths };
}

/**
 * Finds the homes, with the user's own and those that share its sessions. A session that was named by another path than
 * the agent's own, such as behind a link in its store, may be open from there: its id identifies it wherever it is.
 */
export function findAllHomes(
  agent: Agent,
  path: string,
  world: AgentWorld,
): LivenessPlaces | undefined {
  const found = findHomes(agent, path);
  if (!found) return undefined;
  const { liveness, homes } = found;
  const sharers = homes.flatMap((home) => liveness.listSharers?.(home, world) ?? []);
  return { ...found, homes: keepFirst([...homes, ...liveness.listHomes(world), ...sharers]) };
}

/**
 * Finds the path by which the agent of a session finds it, where another path was named that leads over a
 * link or a mount: rows and sidecars of the session are around the former. That is a path in the user's own store,
 * or the path without links if only that one is laid out as a store.
 */
export function findDetour(agent: Agent, path: string, world: AgentWorld): string | undefined {
  const { liveness } = getDialect(agent);
  const stores = (liveness?.listHomes(world) ?? []).flatMap((home) =>
    (liveness?.stores ?? []).map((name) => ({ home, store: join(home, name) })),
  );
  if (stores.some(({ store }) => isBelow(path, store))) return undefined;
  const { places, sidecars = usualSidecars } = getDialect(agent);
  const isLaidOut = (one: string): boolean => (places.listStores?.(one).length ?? 0) > 0;
  if (!liveness && isLaidOut(path)) return undefined;
  const real = getRealPath(path);
  const around = liveness?.findHome(path);
  const found = stores.find(({ home, store }) => {
    const isAround = around !== undefined && getFileKey(around) === getFileKey(home);
    return !isAround && isBelow(real, getRealPath(store));
  });
  if (found) return join(found.store, relative(getRealPath(found.store), real));
  const mounted = findMounted(agent, path, world);
  if (mounted !== undefined) return mounted;
  if (isLaidOut(path) || !isLaidOut(real)) return undefined;
  const [root, own] = [path, real].map((one) => getFileKey(sidecars.findRoot(one)));
  return root === own ? undefined : real;
}

/** Finds the path in the user's own store of a directory that is mounted there, too, or only elsewhere. */
function findMounted(agent: Agent, path: string, world: AgentWorld): string | undefined {
  const { liveness } = getDialect(agent);
  if (!liveness) return undefined;
  const around = liveness.findHome(path);
  const aroundKey = around === undefined ? undefined : getFileKey(around);
  const above = new Map([...listAbove(path)].map((at) => [getFileKey(at), at]));
  for (const home of liveness.listHomes(world)) {
    if (aroundKey === getFileKey(home)) continue;
    for (const name of [...liveness.stores, ...(liveness.listDirectories?.(path) ?? [])]) {
      const at = above.get(getFileKey(join(home, name)));
      if (at !== undefined) return join(home, name, relative(at, path));
    }
  }
  return undefined;
}

/**
 * Finds the homes, besides that of its path, from which the agent reaches a session file by a link or a mount: the
 * user's own, and those that share its sessions.
 */
export function listSharingHomes(agent: Agent, path: string, world: AgentWorld): readonly string[] {
  const { liveness } = getDialect(agent);
  const own = liveness?.findHome(path);
  if (!liveness || own === undefined) return [];
  const known = [...liveness.listHomes(world), ...(liveness.listSharers?.(own, world) ?? [])];
  const ownKey = getFileKey(own);
  const others = keepFirst(known).filter((home) => getFileKey(home) !== ownKey);
  if (others.length === 0) return [];
  const above = new Set([path, getRealPath(path)].flatMap((one) => [...listAbove(one)]));
  const keys = new Set([...above].map(getFileKey));
  const names = [...liveness.stores, ...(liveness.listDirectories?.(path) ?? [])];
  return others.filter((home) => names.some((name) => keys.has(getFileKey(join(home, name)))));
}

/** The locks of a session there. */
export function listLocks({ liveness, homes, paths }: LivenessPlaces): readonly WriterLock[] {
  const locks = homes.flatMap((home) =>
    paths.flatMap((path) => liveness.findLock?.(home, path) ?? []),
  );
  return [...new Map(locks.map((lock) => [`${lock.directory}\0${lock.name}`, lock])).values()];
}

/** Returns whether the agent locks two files as one session. */
export function haveOneLock(agent: Agent, one: string, other: string): boolean {
  const [own] = toLockNames(agent, one);
  return own !== undefined && toLockNames(agent, other).includes(own);
}

/** Lists the names of the locks of a session file, in whatever home; none for a file without locks. */
export function toLockNames(agent: Agent, path: string): readonly string[] {
  const found = findHomes(agent, path);
  return found ? listLocks(found).map(({ name }) => name) : [];
}

/** Keeps the first of directories that are one, by links or mounts. */
function keepFirst(homes: readonly string[]): readonly string[] {
  const unique = [...new Set(homes)];
  if (unique.length < 2) return unique;
  return [
    ...new Map(unique.toReversed().map((home) => [getFileKey(home), home])).values(),
  ].toReversed();
}
