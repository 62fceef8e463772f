import { DisjointSets } from '../model/tree/disjoint-sets.ts';
import type { Family } from '../model/tree/lineage.ts';
import { toParentKey } from '../model/tree/parents.ts';
import type { Candidate } from './candidate.ts';

/** The time at which a lineage was last active, in milliseconds. */
export interface Activity {
  /** The last activity, if it was read. */
  readonly listed: number;
  /** The latest possible time: a part of it may not have been read. */
  readonly latest: number;
  /** The latest possible time of any use: only a reason to keep one. */
  readonly latestUse: number;
}

/**
 * Finds the latest activity of the lineage of each session: all sessions that were forked from each
 * other, in either direction, and those in their folders. A session without any is not in it.
 */
export function findActivity(
  candidates: readonly Candidate[],
  families: readonly Family<Candidate>[],
  owners: ReadonlyMap<Candidate, Candidate>,
): ReadonlyMap<Candidate, Activity> {
  const sets = new DisjointSets();
  for (const { parents, forks } of families) {
    const [first, ...others] = [...parents, ...forks];
    for (const other of others) if (first) sets.join(other.path, first.path);
  }
  const paths = new Set(candidates.map(({ path }) => path));
  for (const one of candidates) {
    // Forks of one parent are of one lineage even when that parent is gone, and named in several ways.
    for (const parent of [one.parentSessionPath ?? [], one.otherParents ?? []].flat()) {
      sets.join(one.path, parent);
      if (!paths.has(parent)) sets.join(parent, `\0${toParentKey(parent)}`);
    }
    const owner = owners.get(one);
    if (owner) sets.join(one.path, owner.path);
  }
  const related = candidates.filter(({ path }) => sets.has(path));
  const found = new Map<string, Activity>();
  for (const one of related) {
    const root = sets.find(one.path);
    const own = toActivity(one);
    const known = found.get(root) ?? own;
    found.set(root, {
      listed: Math.max(known.listed, own.listed),
      latest: Math.max(known.latest, own.latest),
      latestUse: Math.max(known.latestUse, own.latestUse),
    });
  }
  return new Map(related.map((one) => [one, found.get(sets.find(one.path)) ?? toActivity(one)]));
}

export function toActivity({ modified, latest, latestUse = latest }: Candidate): Activity {
  return { listed: modified, latest, latestUse };
}
