import type { SessionSummary } from '../summary.ts';
import type { EntryUsage } from '../usage.ts';
import { lacksKeys } from './condense-usage.ts';
import { addTo } from './group-by.ts';

/** A session among its forks. */
export interface LineageStep {
  readonly summary: SessionSummary;
  /** 0 for a session that is not a fork of another one here. */
  readonly depth: number;
}

/** The session that this one is a fork of, there or not. */
export function getParentPath(
  summary: Pick<SessionSummary, 'parentSessionPath' | 'branchedFrom'>,
): string | null {
  return summary.parentSessionPath ?? summary.branchedFrom;
}

/** Every session once: each followed by its forks, in the given order. Safe if forks go in circles. */
export function walkLineages(summaries: readonly SessionSummary[]): readonly LineageStep[] {
  const known = new Set(summaries.map(({ path }) => path));
  const forks = new Map<string | null, SessionSummary[]>();
  for (const summary of summaries) {
    const parent = getParentPath(summary);
    const key = parent !== null && parent !== summary.path && known.has(parent) ? parent : null;
    const siblings = forks.get(key);
    if (siblings) siblings.push(summary);
    else forks.set(key, [summary]);
  }
  const steps: LineageStep[] = [];
  const seen = new Set<SessionSummary>();
  // Sessions that fork each other in a circle have no root: any of them will do.
  for (const root of [...(forks.get(null) ?? []), ...summaries]) {
    const stack: LineageStep[] = [{ summary: root, depth: 0 }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      if (seen.has(step.summary)) continue;
      seen.add(step.summary);
      steps.push(step);
      const depth = step.depth + 1;
      const children = forks.get(step.summary.path) ?? [];
      for (const summary of children.toReversed()) stack.push({ summary, depth });
    }
  }
  return steps;
}

/** Forks of one parent, and the sessions of which one is that parent. */
export interface Family<T> {
  readonly parents: readonly T[];
  readonly forks: readonly T[];
}

interface Fork extends Pick<SessionSummary, 'path' | 'id' | 'parentSessionPath'> {
  readonly otherParents?: readonly string[] | undefined;
}

/**
 * Forks by what they may have been made from: the session at their parent's path; where there is
 * none, as in a store that was moved or copied, all that have that file name, whatever its extension, or
 * whose id it is or ends with. Safe to walk only with a memory: forks may go in circles, and a session may
 * be a fork of a copy of itself.
 */
export function findFamilies<T extends Fork>(sessions: readonly T[]): readonly Family<T>[] {
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  // Made only where a parent is not found by its path: to fold the names of all takes longer than the rest.
  let named: ReadonlyMap<string, readonly T[]> | undefined;
  const getByName = (): ReadonlyMap<string, readonly T[]> => (named ??= groupByName(sessions));
  const toParent = (path: string): string => {
    if (byPath.has(path)) return path;
    const names = listParentNames(path);
    return names.find((name) => getByName().has(name)) ?? names.at(-1) ?? '';
  };
  const forks = new Map<string, T[]>();
  for (const session of sessions) {
    if (session.parentSessionPath === null && session.otherParents === undefined) continue;
    const paths = [session.parentSessionPath ?? [], session.otherParents ?? []].flat();
    for (const parent of new Set(paths.map(toParent))) addTo(forks, parent, session);
  }
  return [...forks].flatMap(([parent, some]) => {
    const exact = byPath.get(parent);
    const parents = exact ? [exact] : getByName().get(parent);
    return parents ? [{ parents, forks: some }] : [];
  });
}

/** Makes a function that returns whether a parent is there: at its path, or by its name or id. */
export function createParentFinder(
  sessions: readonly Pick<SessionSummary, 'path' | 'id'>[],
): (path: string) => boolean {
  const paths = new Set(sessions.map(({ path }) => path));
  let named: ReadonlyMap<string, unknown> | undefined;
  return (path) =>
    paths.has(path) ||
    listParentNames(path).some((name) => (named ??= groupByName(sessions)).has(name));
}

/** Returns a key that all paths of a parent share, and its id, wherever its store is or was. */
export function toParentKey(path: string): string {
  return toName(path).replace(/^\d{4}-\d\d-\d\dt[\d-]{1,20}z_/, '');
}

/** Groups sessions by the names of their files, and by their ids. */
function groupByName<T extends Pick<SessionSummary, 'path' | 'id'>>(
  sessions: readonly T[],
): ReadonlyMap<string, readonly T[]> {
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
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/\.jsonl?$/, '');
}

/**
 * The usage that each session holds only because a fork copies what came before it. Within a
 * lineage every entry counts for the session that started first; forks of a parent that is gone
 * are one lineage too. Keyed by path; sessions that inherit nothing are not in it.
 */
export function findInheritedEntries(
  summaries: readonly SessionSummary[],
): ReadonlyMap<string, readonly EntryUsage[]> {
  const sharing = summaries.filter((one) => one.entryUsages !== undefined && !lacksKeys(one));
  if (sharing.length === 0) return new Map();
  const seenByLineage = new Map<string, SeenEntries>();
  const seenAnywhere = new SeenEntries();
  const roots = findRoots(summaries);
  const inherited = new Map<string, readonly EntryUsage[]>();
  // Parents before their forks, also where a clock was wrong.
  for (const { summary } of walkLineages(sharing.toSorted(byStart))) {
    const root = roots.get(summary.path) ?? summary.path;
    const seen = seenByLineage.get(root) ?? new SeenEntries();
    seenByLineage.set(root, seen);
    const entries = summary.entryUsages ?? [];
    const choose = (entry: EntryUsage): SeenEntries => (entry.isUnique ? seenAnywhere : seen);
    const copied = entries.filter((entry) => choose(entry).has(entry));
    for (const entry of entries) choose(entry).add(entry);
    if (copied.length > 0) inherited.set(summary.path, copied);
  }
  return inherited;
}

/** Entries that have been counted. One that names no request is the same as any of its key. */
class SeenEntries {
  /** The request of a key, or several; undefined where one of them names none. */
  readonly #requests = new Map<string, string | Set<string> | undefined>();

  has({ key, request }: EntryUsage): boolean {
    const seen = this.#requests.get(key);
    if (seen === undefined) return this.#requests.has(key);
    if (request === undefined) return true;
    return typeof seen === 'string' ? seen === request : seen.has(request);
  }

  add({ key, request }: EntryUsage): void {
    const seen = this.#requests.get(key);
    if (seen === undefined) {
      if (!this.#requests.has(key)) this.#requests.set(key, request);
    } else if (request === undefined) this.#requests.set(key, undefined);
    else if (typeof seen !== 'string') seen.add(request);
    else if (seen !== request) this.#requests.set(key, new Set([seen, request]));
  }
}

/** The oldest ancestor that is known by name, there or not. */
function findRoots(summaries: readonly SessionSummary[]): ReadonlyMap<string, string> {
  const parents = new Map(
    summaries.map(({ path, parentSessionPath }) => [path, parentSessionPath]),
  );
  const roots = new Map<string, string>();
  for (const [path, parent] of parents) {
    if (roots.has(path)) continue;
    if (!parent) {
      roots.set(path, path);
      continue;
    }
    const walked = new Set([path]);
    let at = path;
    for (let next = parents.get(at); next; next = parents.get(at)) {
      const ahead = roots.get(next) ?? next;
      if (walked.has(ahead)) break;
      walked.add(ahead);
      at = ahead;
    }
    for (const one of walked) roots.set(one, at);
  }
  return roots;
}

/** Compares by start; where none is known, by the last change. */
export function byStart(
  a: Pick<SessionSummary, 'created' | 'modified' | 'path'>,
  b: Pick<SessionSummary, 'created' | 'modified' | 'path'>,
): number {
  const [from, to] = [a.created ?? a.modified, b.created ?? b.modified];
  if (from !== to) return from < to ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
