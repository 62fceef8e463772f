import type { SessionSummary } from '../summary.ts';
import { findParents, getParentPath, ParentIndex, toParentKey } from './parents.ts';
import { addTo } from './group-by.ts';

type Related = Pick<
  SessionSummary,
  | 'path'
  | 'agent'
  | 'id'
  | 'created'
  | 'modified'
  | 'parentSessionPath'
  | 'branchedFrom'
  | 'origins'
  | 'otherParents'
  | 'possibleForks'
>;

/**
 * Finds the parents of sessions that do not name theirs, or name a file that is not there: old releases copy a
 * session on each resume without saying so. Sessions with equal ids in their lines are of one lineage; the parent is
 * the latest that began earlier, and where both have the same start, the one that ended first: nothing shows which of
 * them is the copy, so the parent is a possible fork as well. A session whose parent is there gets further parents, if it
 * has lines of others. All other sessions are unchanged.
 */
export function nameCopies<T extends Related>(sessions: readonly T[]): readonly T[] {
  if (sessions.every(({ origins }) => origins === undefined)) return sessions;
  return namePossibleForks(findByLines(sessions), sessions);
}

function findByLines<T extends Related>(sessions: readonly T[]): readonly T[] {
  const families = groupByOrigin(sessions);
  const there = findParents(sessions);
  const parents = new Map(
    sessions.map((one) => [one.path, there.get(one.path) ?? getParentPath(one)]),
  );
  const known = new ParentIndex(sessions);
  const getFamily = ({ agent }: T, origin: string) => families.get(`${agent}:${origin}`) ?? [];
  // A file that was copied to another place is the same session, and no fork. A fork that names this one
  // as its parent may seem to have begun before it.
  const findBefore = (one: T, origin: string, isRelative: (other: T) => boolean): T | undefined => {
    const family = getFamily(one, origin);
    const before = family.slice(0, family.indexOf(one));
    return before.findLast(
      (other) =>
        other.id !== one.id && isRelative(other) && !isBelow(other.path, one.path, parents),
    );
  };
  return sessions.map((one) => {
    const { origins = [], otherParents = [] } = one;
    const written = getParentPath(one);
    if (written !== null && known.has(written)) {
      const more = findUnnamed(one, getFamily, (origin) => findBefore(one, origin, () => true));
      return {
        ...one,
        // Its lines hold the id alone: the file may be in another project.
        ...(origins.length > 0 && { parentSessionPath: there.get(one.path) ?? written }),
        ...(more.length > 0 && { otherParents: [...otherParents, ...more] }),
      };
    }
    const isOther = (other: T) => written === null || !listWritten(other).includes(written);
    const parent = findFirst(origins, (origin) => findBefore(one, origin, isOther));
    if (!parent) return one;
    parents.set(one.path, parent.path);
    // Somebody has renamed the file that it names: others may name that, too.
    const others = written === null ? [] : [written, ...otherParents];
    return {
      ...one,
      parentSessionPath: parent.path,
      ...(others.length > 0 && { otherParents: others }),
    };
  });
}

/** Finds the parents that were found by lines, and may as well be forks. */
function namePossibleForks<T extends Related>(
  named: readonly T[],
  before: readonly T[],
): readonly T[] {
  const starts = new Map<string | null, string>(before.map((one) => [one.path, getStart(one)]));
  const written = new Map(before.map((one) => [one.path, listWritten(one)]));
  return named.map((one) => {
    const found = listWritten(one).filter((path) => written.get(one.path)?.includes(path) !== true);
    const possibleForks = found.filter(
      (path) => path !== null && starts.get(path) === getStart(one),
    );
    return possibleForks.length === 0 ? one : { ...one, possibleForks };
  });
}

/** Groups sessions by the ids in their lines, those that began first before the others. */
function groupByOrigin<T extends Related>(
  sessions: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const families = new Map<string, T[]>();
  for (const one of sessions) {
    for (const origin of one.origins ?? []) addTo(families, `${one.agent}:${origin}`, one);
  }
  for (const family of families.values()) family.sort(byStart);
  return families;
}

/** Finds sessions that one has lines from, where none of the parents that it names has these. */
function findUnnamed<T extends Related>(
  one: T,
  getFamily: (one: T, origin: string) => readonly T[],
  findParent: (origin: string) => T | undefined,
): readonly string[] {
  const named = new Set(listWritten(one).map((path) => toParentKey(path ?? '')));
  const isFrom = (origin: string) =>
    getFamily(one, origin).some(({ id }) => named.has(toParentKey(id)));
  const own = (one.origins ?? []).filter((origin) => !isFrom(origin));
  return [...new Set(own.flatMap((origin) => findParent(origin)?.path ?? []))];
}

function findFirst<T>(
  origins: readonly string[],
  find: (origin: string) => T | undefined,
): T | undefined {
  for (const origin of origins) {
    const found = find(origin);
    if (found) return found;
  }
  return undefined;
}

/** Lists the parents that a session names: another fork of the same one is none. */
function listWritten({
  parentSessionPath,
  otherParents = [],
}: Related): readonly (string | null)[] {
  return [parentSessionPath, ...otherParents];
}

/** Returns whether a session was forked from another, or from a fork of it, at any depth; ends on cycles. */
function isBelow(
  path: string,
  ancestor: string,
  parents: ReadonlyMap<string, string | null>,
): boolean {
  const seen = new Set<string>();
  for (let at: string | null = path; at !== null && !seen.has(at);) {
    if (at === ancestor) return true;
    seen.add(at);
    at = parents.get(at) ?? null;
  }
  return false;
}

function getStart({ created, modified }: Related): string {
  return created ?? modified;
}

function byStart(a: Related, b: Related): number {
  const [one, other] = [a, b].map((each) => `${getStart(each)}\0${each.modified}\0${each.path}`);
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
