import type { Departure } from '../departure.ts';
import type { Leaving } from '../../remove/remove-whole.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';

/**
 * Lets `remove` take each session once, after those of `leaving` that cannot be opened without it, whichever
 * is asked for first; one of them that is still there keeps it.
 */
export function inOrder(
  leaving: readonly Leaving[],
  remove: (one: Leaving) => Promise<Departure>,
): (one: Leaving) => Promise<Departure> {
  const forks = findForks(leaving);
  const begun = new Map<string, Promise<Departure>>();
  const removeAfter = async (one: Leaving): Promise<Departure> => {
    for (const fork of forks.get(one.candidate.path) ?? []) {
      const removal = await removeOnce(fork).then(
        (departure) => departure.removal,
        // The error is reported of the fork.
        () => 'failed' as const,
      );
      if (removal === 'stopped') return { removal };
      if (removal !== 'removed') return { removal: 'needed' };
    }
    return remove(one);
  };
  const removeOnce = (one: Leaving): Promise<Departure> => {
    const { path } = one.candidate;
    // Begun on a stack of its own: forks of forks may be thousands.
    const removal = begun.get(path) ?? Promise.resolve(one).then(removeAfter);
    begun.set(path, removal);
    return removal;
  };
  return removeOnce;
}

/** By the path of what they continue from. */
function findForks(leaving: readonly Leaving[]): ReadonlyMap<string, readonly Leaving[]> {
  const byPath = new Map(leaving.map((one) => [one.candidate.path, one]));
  const listBases = (one: Leaving): readonly Leaving[] =>
    one.candidate.needs?.flatMap((path) => byPath.get(path) ?? []) ?? [];
  const positions = putBasesFirst(leaving, listBases);
  const forks = new Map<string, Leaving[]>();
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
  leaving: readonly Leaving[],
  listBases: (one: Leaving) => readonly Leaving[],
): ReadonlyMap<Leaving, number> {
  const positions = new Map<Leaving, number>();
  const entered = new Set<Leaving>();
  for (const start of leaving) {
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
