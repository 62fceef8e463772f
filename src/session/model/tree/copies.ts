import type { SessionSummary } from '../summary.ts';
import { getParentPath } from './lineage.ts';
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
>;

/**
 * Names the parents of sessions that were copied from another without a word of it, as old releases do
 * on each resume: the ids in their lines say it. The parent is the last of the same lineage that began
 * before. Others are as they were.
 */
export function nameCopies<T extends Related>(sessions: readonly T[]): readonly T[] {
  if (sessions.every(({ origins }) => origins === undefined)) return sessions;
  const families = new Map<string, T[]>();
  for (const one of sessions) {
    for (const origin of one.origins ?? []) {
      addTo(families, `${one.agent}:${origin}`, one);
    }
  }
  for (const family of families.values()) family.sort(byStart);
  const parents = new Map(sessions.map((one) => [one.path, getParentPath(one)]));
  return sessions.map((one) => {
    const [origin] = one.origins ?? [];
    if (origin === undefined || getParentPath(one) !== null) return one;
    const family = families.get(`${one.agent}:${origin}`) ?? [];
    const before = family.slice(0, family.indexOf(one));
    // A file that was copied to another place is the same session, and no fork. A fork that names this one
    // as its parent may seem to have begun before it.
    const parent = before.findLast(
      ({ id, path }) => id !== one.id && !isBelow(path, one.path, parents),
    );
    if (!parent) return one;
    parents.set(one.path, parent.path);
    return { ...one, parentSessionPath: parent.path };
  });
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

function byStart(a: Related, b: Related): number {
  const [one, other] = [a, b].map(
    ({ created, modified, path }) => `${created ?? modified}\0${modified}\0${path}`,
  );
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
