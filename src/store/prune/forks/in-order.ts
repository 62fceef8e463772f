import type { RemovalResult } from '../removal-result.ts';
import type { Decision } from '../../../session/prune/policy.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';

/** A session, or a state in an archive, that is removed after those that it waits for. */
interface Ordered extends Pick<Decision, 'waitsFor'> {
  readonly candidate: Pick<Decision['candidate'], 'path'>;
}

/**
 * Lets `remove` take each session once, after those of `targets` that it waits for, whichever is asked for first;
 * one of them that is still there keeps it.
 */
export function inOrder<T extends Ordered>(
  targets: readonly T[],
  remove: (one: T) => Promise<RemovalResult>,
): (one: T) => Promise<RemovalResult> {
  const dependents = findDependents(targets);
  const begun = new Map<string, Promise<RemovalResult>>();
  const removeAfter = async (one: T): Promise<RemovalResult> => {
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
  const removeOnce = (one: T): Promise<RemovalResult> => {
    const { path } = one.candidate;
    // Begun on a stack of its own: forks of forks may be thousands.
    const removal = begun.get(path) ?? Promise.resolve(one).then(removeAfter);
    begun.set(path, removal);
    return removal;
  };
  return removeOnce;
}

interface Waiting<T> {
  readonly target: T;
  readonly reason: string;
}

/** Finds what each session waits for, by its path. */
function findDependents<T extends Ordered>(
  targets: readonly T[],
): ReadonlyMap<string, readonly Waiting<T>[]> {
  const byPath = new Map(targets.map((one) => [one.candidate.path, one]));
  const needed = new Map<T, T[]>();
  for (const one of targets) {
    for (const { path } of one.waitsFor ?? []) {
      const dependent = byPath.get(path);
      if (dependent) addTo(needed, dependent, one);
    }
  }
  const positions = putNeededFirst(targets, needed);
  const dependents = new Map<string, Waiting<T>[]>();
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

function putNeededFirst<T>(
  targets: readonly T[],
  needed: ReadonlyMap<T, readonly T[]>,
): ReadonlyMap<T, number> {
  const positions = new Map<T, number>();
  const entered = new Set<T>();
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
