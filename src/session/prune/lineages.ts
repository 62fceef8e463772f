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
  parentsOf(candidate: Candidate): readonly Candidate[];
  forksOf(candidate: Candidate): readonly Candidate[];
  /** Returns the parents that it cannot be opened without. */
  basesOf(candidate: Candidate): readonly Candidate[];
  /** Returns the sessions whose lines name files of it. */
  referrersOf(candidate: Candidate): readonly Candidate[];
  /** Oldest lineages first; within one, forks before what they were forked from. */
  readonly byRemovalOrder: (a: Candidate, b: Candidate) => number;
}

type GetRelated = (candidate: Candidate) => readonly Candidate[];

/** Finds the lineages. Safe if forks form a circle: then one of them counts as the first. */
export function findLineages(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
): Lineages {
  const { parentsOf, forksOf } = linkUnits(candidates, owners);
  const byPath = new Map(candidates.map((one) => [one.path, one]));
  const activity = findActivity(candidates, owners);
  const activityOf = (one: Candidate): Activity => activity.get(one) ?? toActivity(one);
  const depths = findDepths(candidates, parentsOf);
  const latestBelow = findLatestBelow(candidates, parentsOf, depths);
  const below = (one: Candidate): number => latestBelow.get(one) ?? one.latest;
  return {
    activityOf,
    parentsOf,
    forksOf,
    referrersOf: (one) => {
      const named = one.referrers?.flatMap((path) => byPath.get(path) ?? []) ?? [];
      const units = new Set(named.map((other) => owners.get(other) ?? other));
      return [...units].filter((other) => other !== one);
    },
    basesOf: ({ needs = [] }) => needs.flatMap((path) => byPath.get(path) ?? []),
    byRemovalOrder: (a, b) =>
      activityOf(a).latest - activityOf(b).latest ||
      below(a) - below(b) ||
      (depths.get(b) ?? 0) - (depths.get(a) ?? 0) ||
      (a.path < b.path ? -1 : 1),
  };
}

/**
 * Links sessions through families that all members share: pairs of thousands of equal names would be
 * millions.
 */
function linkUnits(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
): { readonly parentsOf: GetRelated; readonly forksOf: GetRelated } {
  const toUnits = (some: readonly Candidate[]): readonly Candidate[] => [
    ...new Set(some.map((one) => owners.get(one) ?? one)),
  ];
  const asFork = new Map<Candidate, Family<Candidate>[]>();
  const asParent = new Map<Candidate, Family<Candidate>[]>();
  for (const found of [...findFamilies(candidates), ...findBases(candidates)]) {
    const family = { parents: toUnits(found.parents), forks: toUnits(found.forks) };
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
  const byPath = new Map(candidates.map((one) => [one.path, one]));
  return candidates.flatMap((one) => {
    const parents = one.needs?.flatMap((path) => byPath.get(path) ?? []) ?? [];
    return parents.length === 0 ? [] : [{ parents, forks: [one] }];
  });
}

function listOthers(
  one: Candidate,
  families: readonly Family<Candidate>[] = [],
  role: keyof Family<Candidate>,
): readonly Candidate[] {
  return [...new Set(families.flatMap((family) => family[role]))].filter((other) => other !== one);
}

function findDepths(
  candidates: readonly Candidate[],
  parentsOf: GetRelated,
): ReadonlyMap<Candidate, number> {
  const depths = new Map<Candidate, number>();
  for (const candidate of candidates) {
    const chain = new Set<Candidate>();
    let at: Candidate | undefined = candidate;
    for (; at && !depths.has(at) && !chain.has(at); at = parentsOf(at)[0]) chain.add(at);
    let depth = at ? (depths.get(at) ?? 0) : -1;
    for (const one of [...chain].toReversed()) depths.set(one, (depth += 1));
  }
  return depths;
}

/** Finds the latest activity of each session and all of its forks. */
function findLatestBelow(
  candidates: readonly Candidate[],
  parentsOf: GetRelated,
  depths: ReadonlyMap<Candidate, number>,
): ReadonlyMap<Candidate, number> {
  const depthOf = (one: Candidate): number => depths.get(one) ?? 0;
  const latest = new Map(candidates.map((one) => [one, one.latest]));
  for (const one of candidates.toSorted((a, b) => depthOf(b) - depthOf(a))) {
    for (const parent of parentsOf(one)) {
      if (depthOf(parent) >= depthOf(one)) continue;
      latest.set(parent, Math.max(latest.get(parent) ?? 0, latest.get(one) ?? 0));
    }
  }
  return latest;
}
