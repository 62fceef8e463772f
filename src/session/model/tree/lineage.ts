import type { SessionSummary } from '../summary.ts';
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
 * Groups forks with their possible parents. The parent is the session at the path that the fork names. If there is
 * none, as in a copied store, it is every session with that file name (any extension), or whose id is that name or
 * its ending. A walk must remember where it was: forks may form a circle, and a session may be a fork of a copy of
 * itself.
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

/** Compares by start; where none is known, by the last change. */
export function byStart(
  a: Pick<SessionSummary, 'created' | 'modified' | 'path'>,
  b: Pick<SessionSummary, 'created' | 'modified' | 'path'>,
): number {
  const [from, to] = [a.created ?? a.modified, b.created ?? b.modified];
  if (from !== to) return from < to ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
