import { dirname, join } from 'node:path';
import type { SessionSummary } from '../summary.ts';
import { addTo } from './group-by.ts';
import { foldCase } from '../text/fold-case.ts';
import { byStart } from './by-start.ts';
import { listAbove } from '../paths.ts';

type Named = Pick<SessionSummary, 'path' | 'id'>;

/** The facts by which forks are found. */
export interface Fork extends Named, Pick<SessionSummary, 'parentSessionPath'> {
  readonly otherParents?: readonly string[] | undefined;
}

/** The session that this one is a fork of, there or not. */
export function getParentPath(
  summary: Pick<SessionSummary, 'parentSessionPath' | 'branchedFrom'>,
): string | null {
  return summary.parentSessionPath ?? summary.branchedFrom;
}

/**
 * Knows the sessions that a fork may mean by a path. The parent is the session at that path. If there is none, as in
 * a store that was moved, copied or reached by another path, it is every session with that file name (any extension),
 * or whose id is that name or its ending. A session may be named so by itself, as a fork of a copy of itself.
 */
export class ParentIndex<T extends Named> {
  readonly #sessions: readonly T[];
  #byPath: ReadonlyMap<string, T> | undefined;
  #byName: ReadonlyMap<string, readonly T[]> | undefined;

  constructor(sessions: readonly T[]) {
    this.#sessions = sessions;
  }

  /** Returns what all paths of one parent share that forks may name here, whether it is there or not. */
  toKey(path: string): string {
    if (this.#getAt(path)) return path;
    const names = listParentNames(path);
    return names.find((name) => this.#getNamed().has(name)) ?? names.at(-1) ?? '';
  }

  /** Returns the sessions with such a key. */
  get(key: string): readonly T[] {
    const exact = this.#getAt(key);
    return exact ? [exact] : (this.#getNamed().get(key) ?? []);
  }

  has(path: string): boolean {
    return this.get(this.toKey(path)).length > 0;
  }

  #getAt(path: string): T | undefined {
    return (this.#byPath ??= new Map(this.#sessions.map((one) => [one.path, one]))).get(path);
  }

  /** Made only where a parent is not found by its path: to fold the names of all takes longer than the rest. */
  #getNamed(): ReadonlyMap<string, readonly T[]> {
    return (this.#byName ??= groupByName(this.#sessions));
  }
}

type Dated = Named &
  Pick<SessionSummary, 'parentSessionPath' | 'branchedFrom' | 'created' | 'modified'>;

/**
 * Finds the path of the parent of each fork whose parent is here. Where several can be meant, it is the one that is
 * nearest to the fork on the disk: of two copies of a store, each has its own forks.
 */
export function findParents(sessions: readonly Dated[]): ReadonlyMap<string, string> {
  const known = new ParentIndex(sessions);
  const choosers = new Map<string, (path: string) => Dated | undefined>();
  const found = new Map<string, string>();
  for (const session of sessions) {
    const named = getParentPath(session);
    if (named === null) continue;
    const key = known.toKey(named);
    const choose = choosers.get(key) ?? createChooser(known.get(key));
    choosers.set(key, choose);
    const parent = choose(session.path);
    if (parent) found.set(session.path, parent.path);
  }
  return found;
}

/** Makes a function that finds the session nearest to a path, but not at it; of several, the one that began first. */
export function createChooser<T extends Dated>(
  sessions: readonly T[],
): (path: string) => T | undefined {
  const [only] = sessions;
  if (!only || sessions.length === 1) return (path) => (only?.path === path ? undefined : only);
  const sorted = sessions.toSorted(byStart);
  const below = new Map<string, T>();
  for (const one of sorted) {
    for (const directory of listAbove(one.path)) {
      if (!below.has(directory)) below.set(directory, one);
    }
  }
  return (path) => {
    for (const directory of listAbove(path)) {
      const found = below.get(directory);
      if (found && found.path !== path) return found;
    }
    return sorted.find((one) => one.path !== path);
  };
}

/** Lists where else the file of a parent may be, if its store was moved or a project renamed: beside the fork, or in its project. */
export function listParentPlaces(parent: string, fork: string): readonly string[] {
  const [project, name] = parent.split(/[/\\]/).slice(-2);
  const own = dirname(fork);
  if (!project || !name) return [];
  return [join(own, name), join(dirname(own), project, name)].filter((place) => place !== fork);
}

/** Returns a key that all paths of a parent share, and its id, wherever its store is or was. */
export function toParentKey(path: string): string {
  return toName(path).replace(/^\d{4}-\d\d-\d\dt[\d-]{1,20}z_/, '');
}

/** Groups sessions by the names of their files, and by their ids. */
function groupByName<T extends Named>(sessions: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const byName = new Map<string, T[]>();
  for (const session of sessions) {
    const names = [session.path, session.id].map(toName).filter(Boolean);
    for (const name of new Set(names)) addTo(byName, name, session);
  }
  return byName;
}

/** No file has a longer name. */
const MAX_NAME = 255;

/** Lists a name and what may be the id at its end, the longest first: an id may have the character before it. */
function listParentNames(path: string): readonly string[] {
  const name = toName(path);
  if (name.length > MAX_NAME) return [name];
  const parts = name.split('_');
  return parts.map((_, at) => parts.slice(at).join('_'));
}

/**
 * The file name of a path of any system, as disks compare names that know no case, without the extension
 * that `migrate` changes.
 */
function toName(path: string): string {
  const name = path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return foldCase(name).replace(/\.jsonl?$/, '');
}
