import type { RemovalResult } from '../removal-result.ts';
import type { RemovalTarget } from '../../remove/remove-whole.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';

/**
 * Lets `remove` take each session once, after those of `targets` that it waits for, whichever is asked for first;
 * one of them that is still there keeps it.
 */
export function inOrder(
  targets: readonly RemovalTarget[],
  remove: (one: RemovalTarget) => Promise<RemovalResult>,
): (one: RemovalTarget) => Promise<RemovalResult> {
  const dependents = findDependents(targets);
  const begun = new Map<string, Promise<RemovalResult>>();
  const removeAfter = async (one: RemovalTarget): Promise<RemovalResult> => {
    for (const { target, reason } of dependents.get(one.candidate.path) ?? []) {
      const removal = await removeOnce(target).then(
        (outcome) => outcome.removal,
        // The error is reported of the other one.
        () => 'failed' as const,
      );
      if (removal === 'stopped') return { removal };
      if (removal !== 'removed') return { removal: 'needed', reason };
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

interface Waiting {
  readonly target: RemovalTarget;
  readonly reason: string;
}

/** Finds what each session waits for, by its path. */
function findDependents(
  targets: readonly RemovalTarget[],
): ReadonlyMap<string, readonly Waiting[]> {
  const byPath = new Map(targets.map((one) => [one.candidate.path, one]));
  const needed = new Map<RemovalTarget, RemovalTarget[]>();
  for (const one of targets) {
    for (const { path } of one.waitsFor ?? []) {
      const dependent = byPath.get(path);
      if (dependent) addTo(needed, dependent, one);
    }
  }
  const positions = putNeededFirst(targets, needed);
  const dependents = new Map<string, Waiting[]>();
  for (const one of targets) {
    for (const { path, reason } of one.waitsFor ?? []) {
      const target = byPath.get(path);
      // If sessions need each other in a circle, one of them is the first.
      const isAfter = target && (positions.get(one) ?? 0) < (positions.get(target) ?? 0);
      if (isAfter) addTo(dependents, one.candidate.path, { target, reason });
    }
  }
  return dependents;
}

function putNeededFirst(
  targets: readonly RemovalTarget[],
  needed: ReadonlyMap<RemovalTarget, readonly RemovalTarget[]>,
): ReadonlyMap<RemovalTarget, number> {
  const positions = new Map<RemovalTarget, number>();
  const entered = new Set<RemovalTarget>();
  for (const start of targets) {
    const stack = [{ one: start, others: (needed.get(start) ?? []).values() }];
    entered.add(start);
    for (let at = stack.at(-1); at; at = stack.at(-1)) {
      const { value: other } = at.others.next();
      if (!other) {
        stack.pop();
        if (!positions.has(at.one)) positions.set(at.one, positions.size);
      } else if (!entered.has(other)) {
        entered.add(other);
        stack.push({ one: other, others: (needed.get(other) ?? []).values() });
      }
    }
  }
  return positions;
}
