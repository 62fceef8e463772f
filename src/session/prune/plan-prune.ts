import { byActivity, type Candidate } from './candidate.ts';
import { decideRemovals, listDependents, listLeftInStores, type Pool } from './decide-removals.ts';
import { applyKeepRules, listOwnReasons, toGroupKey } from './keep-rules.ts';
import { toActivity } from './lineage-activity.ts';
import { findLineages, type Lineages } from './lineages.ts';
import { findOwners } from './owners.ts';
import type { Decision, Policy } from './policy.ts';
import { findProtections, type Protection } from './protections.ts';
import { addTo } from '../model/tree/group-by.ts';

/**
 * Decides for every session whether it is kept or removed, with the reasons. Pure: the same sessions,
 * policy and clock (`now`, milliseconds) give the same plan, latest activity first; kept and removed
 * sessions together are all sessions. docs/prune.md has the rules in words.
 */
export function planPrune(
  candidates: readonly Candidate[],
  policy: Policy,
  now: number,
): readonly Decision[] {
  const owned = findOwners(candidates);
  const { owners } = owned;
  const lineages = findLineages(candidates, owners);
  const protections = findProtections(candidates, owned, { ...policy, now });
  // Sorted once: with many sessions, that takes as long as all rules.
  const sorted = candidates.toSorted(byActivity);
  const { reasons, places } = findKeepReasons(sorted, policy, { owners, lineages, protections });
  const judged = candidates.filter((one) => !owners.has(one));
  const damaged = judged.filter((one) => protections.get(one)?.isDamaged === true);
  const pool: Pool = { judged, lineages, parts: toParts(owners), damaged };
  const { removals, kept } = decideRemovals(pool, reasons, policy);
  const counted = findCounted(pool, places, removals, policy);
  const decide = (candidate: Candidate): Decision => {
    const removal = removals.get(candidate);
    const waitsFor = removal ? listDependents(candidate, removals, lineages, policy) : [];
    return removal
      ? { candidate, action: 'remove', reasons: removal, ...(waitsFor.length > 0 && { waitsFor }) }
      : {
          candidate,
          action: 'keep',
          reasons: kept.get(candidate) ?? [],
          isCounted: counted.has(candidate) || undefined,
        };
  };
  return sorted.map((candidate): Decision => {
    const owner = owners.get(candidate);
    if (!owner) return decide(candidate);
    return decidePart(candidate, owner, decide(owner));
  });
}

const NONE: readonly string[] = [];
function decidePart(
  candidate: Candidate,
  owner: Candidate,
  { action, isCounted }: Pick<Decision, 'action' | 'isCounted'>,
): Decision {
  const verb = action === 'keep' ? 'kept' : 'removed';
  const isUnread = owner.agent === null && owner.obstacle !== undefined;
  const reasons = isUnread
    ? [`may belong to ${owner.path}: ${owner.obstacle}`]
    : [`${verb} with the session that it belongs to`];
  return { candidate, action, reasons, owner, ...(isCounted && { isCounted }) };
}

interface Facts {
  readonly owners: ReadonlyMap<Candidate, Candidate>;
  readonly lineages: Lineages;
  readonly protections: ReadonlyMap<Candidate, Protection>;
}

/**
 * Finds the kept sessions in whose place others are removed: those with a place in a group of which something is
 * removed, all that a budget counts, and the latest that is left in a store.
 */
function findCounted(
  pool: Pool,
  places: ReadonlySet<Candidate>,
  removals: ReadonlyMap<Candidate, unknown>,
  policy: Policy,
): ReadonlySet<Candidate> {
  if (removals.size === 0) return new Set();
  const { groupBy, maxBytes, maxSessions } = policy;
  const groups = new Set(Array.from(removals.keys(), (one) => toGroupKey(one, groupBy)));
  const hasBudget = maxBytes !== undefined || maxSessions !== undefined;
  const kept = pool.judged.filter((one) => !removals.has(one) && one.obstacle === undefined);
  const isPlaced = (one: Candidate): boolean =>
    places.has(one) && groups.has(toGroupKey(one, groupBy));
  const counted = kept.filter((one) => isPlaced(one) || (hasBudget && one.selected));
  return new Set([...counted, ...listLeftInStores(pool, removals, policy)]);
}

/**
 * Finds the reasons of each session that is kept for its own sake, and those that have a place; the others may be
 * removed. `candidates`: latest activity first.
 */
function findKeepReasons(
  candidates: readonly Candidate[],
  policy: Policy,
  { owners, lineages, protections }: Facts,
): {
  readonly reasons: ReadonlyMap<Candidate, readonly string[]>;
  readonly places: ReadonlySet<Candidate>;
} {
  const counted = candidates.filter(
    (one) => one.selected && !owners.has(one) && protections.get(one)?.isUncounted !== true,
  );
  const { reasons: ruled, places } = applyKeepRules(counted, policy.keep, policy.groupBy, lineages);
  const reasons = new Map<Candidate, readonly string[]>();
  for (const one of candidates) {
    const byRules = ruled.get(one) ?? NONE;
    const protection = protections.get(one);
    const own = protection ? [...byRules, protection.reason] : byRules;
    // V8 makes room for seventeen where the first is pushed to a list.
    const found = own.length > 0 ? own : findUnselected(one, policy, lineages);
    if (found.length > 0) reasons.set(one, found);
  }
  for (const [part, owner] of owners) {
    const own = listOwnReasons(part, policy.keep).map(
      (reason) => `a session in its folder: ${reason}`,
    );
    if (own.length > 0) reasons.set(owner, [...(reasons.get(owner) ?? []), ...own]);
  }
  return { reasons, places };
}

/** Finds the reasons for which the selectors exclude a session; none if they select it. */
function findUnselected(
  candidate: Candidate,
  { activeBefore, activeAfter, keep }: Policy,
  lineages: Lineages,
): readonly string[] {
  if (keep.paths.has(candidate.path)) return ['by id'];
  if (!candidate.selected) return [candidate.unjudged ?? 'not selected'];
  const { listed, latestUse } = lineages.activityOf(candidate);
  if (activeBefore && latestUse >= activeBefore.value) {
    const isSure = listed >= activeBefore.value;
    const byOthers =
      toActivity(candidate).latestUse < activeBefore.value ? ', as forks of it are newer' : '';
    return [isSure ? `not ${activeBefore.text}${byOthers}` : `not surely ${activeBefore.text}`];
  }
  return activeAfter && listed <= activeAfter.value ? [`not ${activeAfter.text}`] : [];
}

function toParts(
  owners: ReadonlyMap<Candidate, Candidate>,
): ReadonlyMap<Candidate, readonly Candidate[]> {
  const parts = new Map<Candidate, Candidate[]>();
  for (const [part, owner] of owners) addTo(parts, owner, part);
  return parts;
}
