import { byActivity, type Candidate } from './candidate.ts';
import { decideRemovals, type Pool } from './decide-removals.ts';
import { applyKeepRules } from './keep-rules.ts';
import { findLineages, type Lineages } from './lineages.ts';
import { findOwners } from './owners.ts';
import type { Decision, Policy } from './policy.ts';
import { findProtections } from './protections.ts';

/**
 * Decides for every session whether it stays or goes, and says why. Pure: the same sessions, policy
 * and clock (`now`, milliseconds) give the same plan, latest activity first; kept and removed
 * together are all of them. docs/prune.md has the rules in words.
 */
export function planPrune(
  candidates: readonly Candidate[],
  policy: Policy,
  now: number,
): readonly Decision[] {
  const owners = findOwners(candidates);
  const lineages = findLineages(candidates, owners);
  const reasons = findKeepReasons(candidates, policy, { owners, lineages, now });
  const judged = candidates.filter((one) => !owners.has(one));
  const pool: Pool = { judged, lineages, parts: toParts(owners) };
  const removals = decideRemovals(pool, reasons, policy);
  const decide = (candidate: Candidate): Decision => {
    const removal = removals.get(candidate);
    return removal
      ? { candidate, action: 'remove', reasons: removal }
      : { candidate, action: 'keep', reasons: reasons.get(candidate) ?? [] };
  };
  return candidates.toSorted(byActivity).map((candidate): Decision => {
    const owner = owners.get(candidate);
    if (!owner) return decide(candidate);
    const { action } = decide(owner);
    const verb = action === 'keep' ? 'stays' : 'goes';
    return {
      candidate,
      action,
      reasons: [`${verb} with the session whose folder it is in`],
      owner,
    };
  });
}

interface Facts {
  readonly owners: ReadonlyMap<Candidate, Candidate>;
  readonly lineages: Lineages;
  readonly now: number;
}

/** Why each session that stays for its own sake stays; the rest may go. */
function findKeepReasons(
  candidates: readonly Candidate[],
  policy: Policy,
  { owners, lineages, now }: Facts,
): Map<Candidate, string[]> {
  const protections = findProtections(candidates, owners, { grace: policy.grace, now });
  const counted = candidates.filter(
    (one) => one.selected && !owners.has(one) && protections.get(one)?.isUncounted !== true,
  );
  const ruled = applyKeepRules(counted, policy.keep, policy.groupBy, lineages);
  const reasons = new Map<Candidate, string[]>();
  for (const one of candidates) {
    const found = [...(ruled.get(one) ?? [])];
    const protection = protections.get(one);
    if (protection) found.push(protection.reason);
    if (found.length === 0) found.push(...findUnselected(one, policy, lineages));
    if (found.length > 0) reasons.set(one, found);
  }
  return reasons;
}

/** Why the selectors leave a session alone; nothing when they do not. */
function findUnselected(
  candidate: Candidate,
  { activeBefore, activeAfter, keep }: Policy,
  lineages: Lineages,
): readonly string[] {
  if (keep.paths.has(candidate.path)) return ['by id'];
  if (!candidate.selected) return ['not selected'];
  const activity = lineages.activityOf(candidate);
  if (activeBefore && activity >= activeBefore.value) {
    const byOthers = candidate.modified < activeBefore.value ? ', as forks of it are newer' : '';
    return [`not ${activeBefore.text}${byOthers}`];
  }
  return activeAfter && activity <= activeAfter.value ? [`not ${activeAfter.text}`] : [];
}

function toParts(
  owners: ReadonlyMap<Candidate, Candidate>,
): ReadonlyMap<Candidate, readonly Candidate[]> {
  const parts = new Map<Candidate, Candidate[]>();
  for (const [part, owner] of owners) {
    const known = parts.get(owner);
    if (known) known.push(part);
    else parts.set(owner, [part]);
  }
  return parts;
}
