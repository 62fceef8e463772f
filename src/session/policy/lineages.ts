import { linkForks } from '../lineage.ts';
import type { Candidate } from './candidate.ts';
import { type Activity, findActivity, toActivity } from './lineage-activity.ts';

/**
 * How the sessions that are judged descend from each other. What lies in a session's folder counts
 * as a piece of that session: forks of it are its forks, and what it was forked from is its parent.
 */
export interface Lineages {
  /** The latest activity of the whole lineage. */
  activityOf(candidate: Candidate): Activity;
  parentsOf(candidate: Candidate): readonly Candidate[];
  forksOf(candidate: Candidate): readonly Candidate[];
  /** Oldest lineages first; within one, forks before what they were forked from. */
  readonly byRemovalOrder: (a: Candidate, b: Candidate) => number;
}

type Links = ReadonlyMap<Candidate, readonly Candidate[]>;

const NONE: readonly Candidate[] = [];

/** Finds the lineages. Safe if forks go in circles: then one of them counts as the first. */
export function findLineages(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
): Lineages {
  const { parents, forks } = linkUnits(candidates, owners);
  const activity = findActivity(candidates, owners);
  const activityOf = (one: Candidate): Activity => activity.get(one) ?? toActivity(one);
  const depths = findDepths(candidates, parents);
  const latestBelow = findLatestBelow(candidates, parents, depths);
  const below = (one: Candidate): number => latestBelow.get(one) ?? one.latest;
  return {
    activityOf,
    parentsOf: (one) => parents.get(one) ?? NONE,
    forksOf: (one) => forks.get(one) ?? NONE,
    byRemovalOrder: (a, b) =>
      activityOf(a).latest - activityOf(b).latest ||
      below(a) - below(b) ||
      (depths.get(b) ?? 0) - (depths.get(a) ?? 0) ||
      (a.path < b.path ? -1 : 1),
  };
}

function linkUnits(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
): { parents: Links; forks: Links } {
  const parents = new Map<Candidate, Candidate[]>();
  const forks = new Map<Candidate, Candidate[]>();
  for (const [from, to] of linkForks(candidates)) {
    const [fork, parent] = [owners.get(from) ?? from, owners.get(to) ?? to];
    if (fork === parent) continue;
    append(parents, fork, parent);
    append(forks, parent, fork);
  }
  return { parents, forks };
}

function append(links: Map<Candidate, Candidate[]>, key: Candidate, value: Candidate): void {
  const known = links.get(key);
  if (known) known.push(value);
  else links.set(key, [value]);
}

function findDepths(
  candidates: readonly Candidate[],
  parents: Links,
): ReadonlyMap<Candidate, number> {
  const depths = new Map<Candidate, number>();
  for (const candidate of candidates) {
    const chain = new Set<Candidate>();
    let at: Candidate | undefined = candidate;
    for (; at && !depths.has(at) && !chain.has(at); at = parents.get(at)?.[0]) chain.add(at);
    let depth = at ? (depths.get(at) ?? 0) : -1;
    for (const one of [...chain].toReversed()) depths.set(one, (depth += 1));
  }
  return depths;
}

/** The latest activity of each session and all that was forked from it. */
function findLatestBelow(
  candidates: readonly Candidate[],
  parents: Links,
  depths: ReadonlyMap<Candidate, number>,
): ReadonlyMap<Candidate, number> {
  const depthOf = (one: Candidate): number => depths.get(one) ?? 0;
  const latest = new Map(candidates.map((one) => [one, one.latest]));
  for (const one of candidates.toSorted((a, b) => depthOf(b) - depthOf(a))) {
    for (const parent of parents.get(one) ?? NONE) {
      if (depthOf(parent) >= depthOf(one)) continue;
      latest.set(parent, Math.max(latest.get(parent) ?? 0, latest.get(one) ?? 0));
    }
  }
  return latest;
}
