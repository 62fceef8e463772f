import { findFamilies } from '../model/tree/lineage.ts';
import type { Candidate } from './candidate.ts';

/** The time at which a lineage was last active, in milliseconds. */
export interface Activity {
  /** The last activity, if it was read. */
  readonly listed: number;
  /** The latest possible time: a part of it may not have been read. */
  readonly latest: number;
}

/**
 * Finds the latest activity of the lineage of each session: all sessions that were forked from each
 * other, in either direction, and those in their folders.
 */
export function findActivity(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
): ReadonlyMap<Candidate, Activity> {
  const sets = new DisjointSets();
  for (const { parents, forks } of findFamilies(candidates)) {
    const [first, ...others] = [...parents, ...forks];
    for (const other of others) if (first) sets.join(other.path, first.path);
  }
  for (const one of candidates) {
    // Forks of one parent are of one lineage even when that parent is gone.
    const parents = [one.parentSessionPath ?? [], one.otherParents ?? []].flat();
    for (const parent of parents) sets.join(one.path, parent);
    const owner = owners.get(one);
    if (owner) sets.join(one.path, owner.path);
  }
  const found = new Map<string, Activity>();
  for (const one of candidates) {
    const root = sets.find(one.path);
    const known = found.get(root);
    const listed = Math.max(known?.listed ?? one.modified, one.modified);
    found.set(root, { listed, latest: Math.max(known?.latest ?? one.latest, one.latest) });
  }
  return new Map(candidates.map((one) => [one, found.get(sets.find(one.path)) ?? toActivity(one)]));
}

export function toActivity({ modified, latest }: Candidate): Activity {
  return { listed: modified, latest };
}

/** Union-find over paths, whether there is a session at them or not. */
class DisjointSets {
  readonly #parents = new Map<string, string>();

  find(item: string): string {
    let at = item;
    for (let up = this.#parents.get(at); up !== undefined; up = this.#parents.get(at)) {
      const next = this.#parents.get(up);
      if (next !== undefined) this.#parents.set(at, next);
      at = up;
    }
    return at;
  }

  join(a: string, b: string): void {
    const [one, other] = [this.find(a), this.find(b)];
    if (one !== other) this.#parents.set(one, other);
  }
}
