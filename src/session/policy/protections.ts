import { findUnrest, UNREST_REASONS } from '../unrest.ts';
import type { Candidate } from './candidate.ts';

/** Why a session must not go, whatever the policy says. */
export interface Protection {
  readonly reason: string;
  /** It takes no place among the newest: nobody can say how new it is, or it is not ours. */
  readonly isUncounted: boolean;
}

/** Every session that must not go; one that must not go protects what its folder belongs to. */
export function findProtections(
  candidates: readonly Candidate[],
  owners: ReadonlyMap<Candidate, Candidate>,
  { grace, now }: { readonly grace: number; readonly now: number },
): ReadonlyMap<Candidate, Protection> {
  const found = new Map<Candidate, Protection>();
  for (const candidate of candidates) {
    const protection = findProtection(candidate, grace, now);
    if (protection) found.set(candidate, protection);
  }
  for (const [part, owner] of owners) {
    const protection = found.get(part);
    if (!protection || found.has(owner)) continue;
    const reason = `a session in its folder: ${protection.reason}`;
    found.set(owner, { reason, isUncounted: false });
  }
  return found;
}

function findProtection(
  { obstacle, modified, fileModified }: Candidate,
  grace: number,
  now: number,
): Protection | undefined {
  if (obstacle !== undefined) return { reason: obstacle, isUncounted: true };
  const unrest = findUnrest(Math.max(modified, fileModified), grace, now);
  return unrest && { reason: UNREST_REASONS[unrest], isUncounted: unrest === 'future' };
}
