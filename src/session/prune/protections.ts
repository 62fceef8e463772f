import { findUse, isInFuture, NOT_HELD } from '../model/in-use.ts';
import { describeDamage } from '../read/summaries/unread.ts';
import { type Candidate, isDamaged } from './candidate.ts';
import type { Owners } from './owners.ts';
import type { Policy } from './policy.ts';

/** The conditions that protect sessions. Times in milliseconds. */
type Conditions = Pick<Policy, 'grace' | 'includeDamaged' | 'includePinned'> & {
  readonly now: number;
};

/** The reason why a session must not be removed, whatever the policy. */
export interface Protection {
  readonly reason: string;
  /** It takes no place among the newest: its age is not known, or it is not ours. */
  readonly isUncounted: boolean;
  /** Lines of it could not be read: it is kept in addition to those that are kept without it. */
  readonly isDamaged: boolean;
}

const NEIGHBOR = 'is named like a part of another session, but is not one';

/**
 * Finds every session that must not be removed; such a session also protects the owner of its folder.
 */
export function findProtections(
  candidates: readonly Candidate[],
  { owners, neighbors }: Owners,
  conditions: Conditions,
): ReadonlyMap<Candidate, Protection> {
  const found = new Map<Candidate, Protection>();
  // No other session is removed in the place of what no policy is about.
  for (const one of neighbors) {
    found.set(one, { reason: NEIGHBOR, isUncounted: true, isDamaged: true });
  }
  for (const candidate of candidates) {
    const protection = findProtection(candidate, conditions);
    if (protection && !neighbors.has(candidate)) found.set(candidate, protection);
  }
  for (const [part, owner] of owners) {
    const protection = found.get(part);
    const known = found.get(owner);
    // Damage counts whatever else there is: no other session is removed in the place of a damaged one.
    if (!protection || (known && (known.isDamaged || !protection.isDamaged))) continue;
    const { isDamaged: hasDamage } = protection;
    const reason = known?.reason ?? `a session in its folder: ${protection.reason}`;
    found.set(owner, { reason, isUncounted: hasDamage, isDamaged: hasDamage });
  }
  return found;
}

function findProtection(
  candidate: Candidate,
  { grace, now, includeDamaged, includePinned }: Conditions,
): Protection | undefined {
  const { obstacle, pin, modified, fileModified, holder = NOT_HELD, unread } = candidate;
  if (obstacle !== undefined)
    return { reason: obstacle, isUncounted: true, isDamaged: isDamaged(candidate) };
  if (unread.lines > 0 && !includeDamaged) {
    return { reason: describeDamage(unread), isUncounted: true, isDamaged: true };
  }
  const latest = Math.max(modified, fileModified);
  const use = findUse(latest, holder, { grace, now });
  // One that is open may have such a time as well.
  if (use !== undefined)
    return { reason: use, isUncounted: isInFuture(latest, now), isDamaged: false };
  if (pin === undefined || includePinned) return undefined;
  return { reason: pin, isUncounted: false, isDamaged: false };
}
