import type { Decision } from '../../session/prune/policy.ts';
import { isInShard, type Shard } from '../select/shard.ts';

/**
 * Selects the decisions on which one shard acts. Keep rules need the whole group, so every shard
 * plans over everything. A session in the folder of another is in the shard of that session. No shard waits for
 * what another one removes.
 */
export function keepDecisionsOfShard(
  decisions: readonly Decision[],
  shard: Shard | undefined,
): readonly Decision[] {
  if (!shard) return decisions;
  const own = decisions.filter((decision) => isDecidedIn(decision, shard));
  const paths = new Set(own.map(({ candidate }) => candidate.path));
  return own.map(({ waitsFor, ...decision }) =>
    waitsFor ? { ...decision, waitsFor: waitsFor.filter(({ path }) => paths.has(path)) } : decision,
  );
}

/** Returns whether one shard acts on a decision; without shards, every run does. */
export function isDecidedIn(
  { candidate, owner = candidate }: Decision,
  shard: Shard | undefined,
): boolean {
  return isInShard(owner.family ?? owner.path, shard);
}
