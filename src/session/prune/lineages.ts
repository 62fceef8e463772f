import { type Family, findFamilies } from '../model/tree/lineage.ts';
import type { Candidate } from './candidate.ts';
import { type Activity, findActivity, toActivity } from './lineage-activity.ts';
import { addTo } from '../model/tree/group-by.ts';

/**
 * The descent of the sessions that are judged. A session in the folder of another counts as a part of
 * that one: its forks are forks of the owner, and its parent is a parent of the owner.
 */
export interface Lineages {
  /** The latest activity of the whole lineage. */
  activityOf(candidate: Candidate): Activity;
  /** Returns what all of a lineage share, and no other. */
  lineageOf(candidate: Candidate): unknown;
  parentsOf(candidate: Candidate): readonly Candidate[];
  forksOf(candidate: Candidate): readonly Candidate[];
  /** Returns its parents that may be forks of it instead. */
  possibleForksOf(candidate: Candidate): readonly Candidate[];
  /** Returns the parents that it cannot be opened without. */
  basesOf(candidate: Candidate): readonly Candidate[];
  /** Returns the sessions whose lines name files of it. */
  referrersOf(candidate: Candidate): readonly Candidate[];
  /** Returns the sessions that go before it, as it takes their sidecars along. */
  copiesOf(candidate: Candidate): readonly Candidate[];
  /** Oldest lineages first; within one, forks before what they were forked from. */
  readonly byRemovalOrder: (a: Candidate, b: Candidate) => number;
}

type GetRelated = (candidate: Candidate) => readonly Candidate[];

/** Finds the lineages. Safe if forks form a circle: then one of them counts as the first. */
export function findLineages(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
): Lineages {
  const families = findFamilies(candidates);
  const bases = findBases(candidates).map((one) => toUnits(one, owners));
  const { parentsOf, forksOf } = linkUnits([
    ...families.map((one) => toUnits(one, owners)),
    ...bases,
  ]);
  const { parentsOf: basesOf } = linkUnits(bases);
  let byPath: ReadonlyMap<string, Candidate> | undefined;
  const find = (path: string): Candidate | readonly [] =>
    (byPath ??= new Map(candidates.map((one) => [one.path, one]))).get(path) ?? [];
  const findUnits = (one: Candidate, paths: readonly string[] = []): readonly Candidate[] => {
    const units = new Set(paths.flatMap(find).map((other) => owners.get(other) ?? other));
    return [...units].filter((other) => other !== one);
  };
  const activity = findActivity(candidates, families, owners);
  const activityOf = (one: Candidate): Activity => activity.get(one) ?? toActivity(one);
  const depths = findDepths(candidates, parentsOf);
  const latestBelow = findLatestBelow(candidates, parentsOf, depths);
  const below = (one: Candidate): number => latestBelow.get(one) ?? one.latest;
  return {
    activityOf,
    lineageOf: (one) => activity.get(one) ?? one,
    parentsOf,
    forksOf,
    possibleForksOf: (one) => findUnits(one, one.possibleForks),
    referrersOf: (one) => findUnits(one, one.referrers),
    copiesOf: ({ copies = [] }) => copies.flatMap(find),
    basesOf,
    byRemovalOrder: (a, b) =>
      activityOf(a).latest - activityOf(b).latest ||
      below(a) - below(b) ||
      (depths.get(b) ?? 0) - (depths.get(a) ?? 0) ||
      (a.path < b.path ? -1 : 1),
  };
}

/** Lets a session in the folder of another count as that one. */
function toUnits(
  { parents, forks }: Family<Candidate>,
  owners: ReadonlyMap<Candidate, Candidate>,
): Family<Candidate> {
  const toOwners = (some: readonly Candidate[]): readonly Candidate[] => [
    ...new Set(some.map((one) => owners.get(one) ?? one)),
  ];
  return { parents: toOwners(parents), forks: toOwners(forks) };
}

/**
 * Links sessions through families that all members share: pairs of thousands of equal names would be
 * millions.
 */
function linkUnits(families: readonly Family<Candidate>[]): {
  readonly parentsOf: GetRelated;
  readonly forksOf: GetRelated;
} {
  const asFork = new Map<Candidate, Family<Candidate>[]>();
  const asParent = new Map<Candidate, Family<Candidate>[]>();
  for (const family of families) {
    for (const fork of family.forks) addTo(asFork, fork, family);
    for (const parent of family.parents) addTo(asParent, parent, family);
  }
  return {
    parentsOf: (one) => listOthers(one, asFork.get(one), 'parents'),
    forksOf: (one) => listOthers(one, asParent.get(one), 'forks'),
  };
}

/**
 * Finds the sessions that others need to be opened: each counts as a parent, even if it is not the
 * session that was forked.
 */
function findBases(candidates: readonly Candidate[]): readonly Family<Candidate>[] {
  const needy = candidates.filter(({ needs = [] }) => needs.length > 0);
  if (needy.length === 0) return [];
  const byPath = new Map(candidates.map((one) => [one.path, one]));
  return needy.flatMap((one) => {
    const parents = one.needs?.flatMap((path) => byPath.get(path) ?? []) ?? [];
    return parents.length === 0 ? [] : [{ parents, forks: [one] }];
  });
}

const NONE: readonly Candidate[] = [];

function listOthers(
  one: Candidate,
  families: readonly Family<Candidate>[] | undefined,
  role: keyof Family<Candidate>,
): readonly Candidate[] {
  // Most sessions have no relations.
  if (!families) return NONE;
  return [...new Set(families.flatMap((family) => family[role]))].filter((other) => other !== one);
}

/**
 * Finds how far each fork is from a session without parents, by the longest way: it is deeper than each of its
 * parents. What is not in it has none.
 */
function findDepths(
  candidates: readonly Candidate[],
  parentsOf: GetRelated,
): ReadonlyMap<Candidate, number> {
  const depths = new Map<Candidate, number>();
  const entered = new Set<Candidate>();
  for (const start of candidates) {
    if (entered.has(start) || parentsOf(start).length === 0) continue;
    entered.add(start);
    const stack = [{ one: start, parents: parentsOf(start).values() }];
    for (let at = stack.at(-1); at; at = stack.at(-1)) {
      const { value: parent } = at.parents.next();
      if (!parent) {
        stack.pop();
        // One that goes in a circle may have a parent whose depth is not known yet.
        const above = parentsOf(at.one).map((one) => depths.get(one) ?? 0);
        if (above.length > 0) depths.set(at.one, above.reduce((a, b) => Math.max(a, b)) + 1);
      } else if (!entered.has(parent)) {
        entered.add(parent);
        stack.push({ one: parent, parents: parentsOf(parent).values() });
      }
    }
  }
  return depths;
}

/** Finds the latest activity of each session that has forks, and of all of these. */
function findLatestBelow(
  candidates: readonly Candidate[],
  parentsOf: GetRelated,
  depths: ReadonlyMap<Candidate, number>,
): ReadonlyMap<Candidate, number> {
  const depthOf = (one: Candidate): number => depths.get(one) ?? 0;
  const latest = new Map<Candidate, number>();
  const latestOf = (one: Candidate): number => latest.get(one) ?? one.latest;
  const forks = candidates.filter((one) => depths.has(one));
  for (const one of forks.toSorted((a, b) => depthOf(b) - depthOf(a))) {
    for (const parent of parentsOf(one)) {
      if (depthOf(parent) >= depthOf(one)) continue;
      latest.set(parent, Math.max(latestOf(parent), latestOf(one)));
    }
  }
  return latest;
}
