import type { RemovalResult } from '../removal-result.ts';
import type { RemovalTarget } from '../../remove/remove-whole.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';

/**
 * Lets `remove` take each session once, after those of `targets` that cannot be opened without it, whichever
 * is asked for first; one of them that is still there keeps it.
 */
export function inOrder(
  targets: readonly RemovalTarget[],
  remove: (one: RemovalTarget) => Promise<RemovalResult>,
): (one: RemovalTarget) => Promise<RemovalResult> {
  const forks = findForks(targets);
  const begun = new Map<string, Promise<RemovalResult>>();
  const removeAfter = async (one: RemovalTarget): Promise<RemovalResult> => {
    for (const fork of forks.get(one.candidate.path) ?? []) {
      const removal = await removeOnce(fork).then(
        (outcome) => outcome.removal,
        // The error is reported of the fork.
        () => 'failed' as const,
      );
      if (removal === 'stopped') return { removal };
      if (removal !== 'removed') return { removal: 'needed' };
    }
    return remove(one);
  };
  const removeOnce = (one: RemovalTarget): Promise<RemovalResult> => {
    const { path } = one.candidate;
    // Begun on a stack of its own: forks of forks may be thousands.
    const removal = begun.get(path) ?? Promise.resolve(one).then(removeAfter);
    begun.set(path, removal);
    return removal;
  };
  return removeOnce;
}

/** Finds forks by the path of what they continue from. */
function findForks(
  targets: readonly RemovalTarget[],
): ReadonlyMap<string, readonly RemovalTarget[]> {
  const byPath = new Map(targets.map((one) => [one.candidate.path, one]));
  const listBases = (one: RemovalTarget): readonly RemovalTarget[] =>
    one.candidate.needs?.flatMap((path) => byPath.get(path) ?? []) ?? [];
  const positions = putBasesFirst(targets, listBases);
  const forks = new Map<string, RemovalTarget[]>();
  for (const [one, position] of positions) {
    for (const base of listBases(one)) {
      // If sessions continue each other in a circle, one of them is the first.
      if ((positions.get(base) ?? position) >= position) continue;
      addTo(forks, base.candidate.path, one);
    }
  }
  return forks;
}

function putBasesFirst(
  targets: readonly RemovalTarget[],
  listBases: (one: RemovalTarget) => readonly RemovalTarget[],
): ReadonlyMap<RemovalTarget, number> {
  const positions = new Map<RemovalTarget, number>();
  const entered = new Set<RemovalTarget>();
  for (const start of targets) {
    const stack = [start];
    for (let at = stack.at(-1); at; at = stack.at(-1)) {
      entered.add(at);
      const base = listBases(at).find((one) => !entered.has(one));
      if (base) stack.push(base);
      else {
        stack.pop();
        if (!positions.has(at)) positions.set(at, positions.size);
      }
    }
  }
  return positions;
}
