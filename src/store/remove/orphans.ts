import { type Dirent, existsSync } from 'node:fs';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { dialects, getDialect } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { OrphanDialect } from '../../session/dialect/surroundings/sidecars.ts';
import { listEntries } from '../../session/jsonl/files/list-directory.ts';
import { changedError, isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { syncDirectory } from '../../session/jsonl/files/flush.ts';
import type { Agent } from '../../session/model/agent.ts';
import { findUse } from '../../session/model/in-use.ts';
import { findHolder, type UseTerms } from '../sessions/find-use.ts';
import { describeForeign, findForeign } from '../sessions/foreign-files.ts';
import {
  describeUnsupported,
  type FileTree,
  isUnchanged,
  readTree,
  type Unsupported,
} from '../sessions/file-tree.ts';
import { readNotedNames } from '../sessions/sidecars/noted-names.ts';
import { findHeldIds } from './held-ids.ts';
import { removeFiles } from './remove-files.ts';
import { listTrashed } from './trash.ts';
import { readStart } from '../files/read-regular-file.ts';
import { listMountPoints } from '../files/mount-point.ts';
import { getRealPath, orPath } from '../files/stat-file.ts';
import { listAgentStores } from '../find/roots.ts';
import { readIdIfAny } from '../find/targets.ts';
import { addTo } from '../../session/model/tree/group-by.ts';

/** The sidecars of one session that is gone. */
export interface Orphan {
  readonly agent: Agent;
  readonly id: string;
  /** Each a file, or a directory with all that is in it. */
  readonly trees: readonly FileTree[];
  /** The time when one of them was last written, in milliseconds. */
  readonly latest: number;
  readonly bytes: number;
  /** The store that its session would be in. */
  readonly store: string;
}

/** Returns whether sidecars in and beside a store name the session that they are of. */
export function canFindOrphans(store: string): boolean {
  return dialects.some(({ sidecars }) => sidecars?.orphans?.findRoot(store) !== undefined);
}

/**
 * Finds sidecars of sessions of which no file of any form is left: not in a store, not in the trash.
 * `stores`: others in which the sessions may be.
 * @throws FileError when a directory cannot be read, or no session of the agent is in the store where that would
 * keep it: sessions may be on a disk that is not mounted, or the directories around it another program's.
 */
export async function findOrphans(
  store: string,
  stores: readonly string[],
  world: AgentWorld,
): Promise<readonly Orphan[]> {
  const found: Orphan[] = [];
  for (const { agent, sidecars, places } of dialects) {
    const root = sidecars?.orphans?.findRoot(store);
    if (!sidecars?.orphans || root === undefined) continue;
    const sessions = listSessions(store, sidecars.orphans);
    const names = await listNames(root, sidecars.orphans);
    const without = [...names].filter(([id]) => !sessions.has(id));
    if (without.length === 0) continue;
    const all = [store, ...stores, ...(await listSharing(store, sidecars.orphans, world))];
    const search = {
      dialect: sidecars.orphans,
      owners: new Map(
        without.flatMap(([id, named]) =>
          named.map((name) => [getRealPath(join(root, name)), id] as const),
        ),
      ),
      isSubagent: (name: string) => places.subagents?.isFile(name) ?? false,
      isThere: (id: string) => sessions.has(id),
    };
    const held = await findHeldIds(search, all, listTrashes(all, world));
    for (const [id, named] of without.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      if (held.has(id)) continue;
      const trees: FileTree[] = [];
      for (const name of named) trees.push(await readTree(root, name));
      const parts = trees.flatMap(({ files, directories }) => [...files, ...directories]);
      if (parts.length === 0) continue;
      const latest = parts.reduce((time, { mtimeMs }) => Math.max(time, mtimeMs), 0);
      const bytes = parts.reduce((sum, { size }) => sum + size, 0);
      found.push({ agent, id, trees, latest, bytes, store });
    }
    if (found.length > 0) await requireSession(agent, store, sessions);
  }
  return found;
}

/**
 * Lists the agents' own stores, since sessions of other agents name sidecars, too, such as one that was made of the session
 * which is gone; and those that share the sidecars beside a store, also beside a link by which its agent finds it.
 */
async function listSharing(
  store: string,
  orphans: OrphanDialect,
  world: AgentWorld,
): Promise<readonly string[]> {
  const own = await listAgentStores(world);
  const real = orPath(getRealPath, store);
  const paths = [store, ...own.filter((one) => orPath(getRealPath, one) === real)];
  const roots = new Set(paths.flatMap((one) => orphans.findRoot(one) ?? []));
  return [...own, ...[...roots].flatMap((root) => orphans.listStores(root, new Map()))];
}

/** Returns the reason why an orphan must be kept; undefined if it may be removed. */
export function findOrphanUse(
  { agent, id, latest, store }: Orphan,
  terms: UseTerms,
): string | undefined {
  const holder = findHolder(agent, join(store, '-', `${id}.jsonl`), terms.world);
  return findUse(latest, holder, terms);
}

/** The reason why the files of an orphan are left unchanged, if one of them is odd. */
export function findOdd({ agent, trees, store }: Orphan): string | undefined {
  const odd = trees.flatMap((tree) => tree.unsupported ?? findMounted(tree, store) ?? []).at(0);
  if (odd) return describeUnsupported(odd);
  const { sidecars } = getDialect(agent);
  const foreign = trees
    .map((tree) => {
      const path = join(tree.root, `${getName(tree)}.jsonl`);
      return sidecars && findForeign(tree.files, path, sidecars);
    })
    .find((name) => name !== undefined);
  return foreign === undefined ? undefined : describeForeign(foreign);
}

/** The directory beside the store that holds a tree, if it is mounted there: another store may have its sessions. */
function findMounted(tree: FileTree, store: string): Unsupported | undefined {
  const [name = ''] = getName(tree).split('/');
  const place = join(tree.root, name);
  const isMounted = place !== store && listMountPoints().has(getRealPath(place));
  return isMounted ? { name, what: 'on another file system' } : undefined;
}

/**
 * Removes an orphan, by `move` where it is given, if it is as it was and its session has not come back.
 * False where it is not.
 * @throws FileError that names what could not be removed.
 */
export async function removeOrphan(
  { agent, id, trees, store }: Orphan,
  move: ((path: string) => Promise<void>) | undefined,
): Promise<boolean> {
  const orphans = getDialect(agent).sidecars?.orphans;
  const isBack = (): boolean => orphans !== undefined && listSessions(store, orphans).has(id);
  if (!orphans || isBack()) return false;
  for (const tree of trees) {
    const name = getName(tree);
    if (!isUnchanged(tree, await readTree(tree.root, name))) return false;
  }
  const [first, ...rest] = trees;
  if (first && !(await removeTree(first, move))) return false;
  for (const tree of rest) {
    // A restore takes what is there for restored.
    if (isBack()) throw changedError(join(tree.root, getName(tree)), ', and is kept');
    await removeTree(tree, move);
  }
  return true;
}

/** Returns false where another run has removed it. */
async function removeTree(
  tree: FileTree,
  move: ((path: string) => Promise<void>) | undefined,
): Promise<boolean> {
  const path = join(tree.root, getName(tree));
  try {
    await (move ? move(path) : removeFiles(tree));
  } catch (error) {
    const problem = toFileError(error, path, 'remove');
    if (isMissing(problem)) return false;
    throw problem;
  }
  for (const home of tree.holders.keys()) await syncDirectory(join(tree.root, home));
  return true;
}

/** The path of an orphan's first file or directory. */
export function getOrphanPath({ trees: [tree], store }: Orphan): string {
  return tree ? join(tree.root, getName(tree)) : store;
}

function getName({ files, directories }: FileTree): string {
  return (directories[0] ?? files[0])?.name ?? '';
}

async function listNames(
  root: string,
  { places, listIds }: OrphanDialect,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const { directory, inEach, kind, pattern, readId, notedIn } of places) {
    const isNoted = notedIn && readNotedNames(root, notedIn);
    const homes = inEach ? list(join(root, directory), 'directory') : [''];
    for (const home of homes.map((one) => (one === '' ? directory : `${directory}/${one}`))) {
      for (const name of list(join(root, home), kind)) {
        const match = pattern.exec(name);
        if (!match || isNoted?.(`${home}/${name}`)) continue;
        const named = readId ? readId(await readStart(join(root, home, name))) : match[1];
        const [id] = named === undefined ? [] : listIds(named);
        // No search finds another id: its session may still exist.
        if (id === undefined || id !== named?.toLowerCase()) continue;
        addTo(found, id, `${home}/${name}`);
      }
    }
  }
  return found;
}

/** The paths of all files that may hold sessions, readable or not, also behind links, by their ids. */
function listSessions(store: string, { listHeldIds }: OrphanDialect): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const home of list(store, undefined)) {
    const directory = join(store, home);
    const names = list(directory, undefined);
    // Sessions may be behind a link that leads nowhere, on a disk that is not mounted.
    if (names.length === 0 && !existsSync(directory)) {
      throw new FileError(
        directory,
        'ENOENT',
        'is a link that leads nowhere: sessions may be behind it',
      );
    }
    for (const name of names) {
      for (const id of listHeldIds(name)) found.set(id, join(directory, name));
    }
  }
  return found;
}

/** Lists the trashes of stores, and of what links in them lead to: each disk may have one of its own. */
function listTrashes(stores: readonly string[], world: AgentWorld): readonly string[] {
  const links = stores.flatMap((store) =>
    listEntries(store).flatMap((one) => (one.isSymbolicLink() ? join(store, one.name) : [])),
  );
  return [...new Set([...stores, ...links].flatMap((one) => listTrashed(one, world)))];
}

async function requireSession(
  agent: Agent,
  store: string,
  sessions: ReadonlyMap<string, string>,
): Promise<void> {
  const { places } = getDialect(agent);
  for (const path of sessions.values()) {
    // People have a `projects` of their own, and other programs an `uploads/<uuid>` beside it.
    const isKept = places.listStores?.(path).length !== 0;
    if (isKept && (await readIdIfAny(path))?.agent === agent) return;
  }
  throw new FileError(
    store,
    'ENODATA',
    `holds no session of ${agent} where that keeps them: it may be on a disk that is not mounted; mount it, or remove the sidecars by hand`,
  );
}

/** The names of one kind in a directory; none where there is no such directory. */
function list(directory: string, kind: 'directory' | 'file' | undefined): readonly string[] {
  const isRight = (entry: Dirent): boolean =>
    kind === undefined || (kind === 'file' ? entry.isFile() : entry.isDirectory());
  return listEntries(directory)
    .filter(isRight)
    .map(({ name }) => name);
}
