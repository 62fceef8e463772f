import type { Entry } from '../model/entry.ts';
import { formatCounted } from '../model/text/numbers.ts';

/** Every cycle of entries that are each other's ancestors. Linear in the number of entries. */
export function findCycles<E extends Entry>(
  entries: Iterable<E>,
  parentOf: (entry: E) => E | undefined,
): readonly (readonly E[])[] {
  const cycles: E[][] = [];
  /** The entry from which each was first reached. */
  const startOf = new Map<E, E>();
  for (const start of entries) {
    let at: E | undefined = start;
    while (at !== undefined && !startOf.has(at)) {
      startOf.set(at, start);
      at = parentOf(at);
    }
    if (at !== undefined && startOf.get(at) === start) cycles.push(collectCycle(at, parentOf));
  }
  return cycles;
}

/** The entry of a cycle that is first in the file, and what is wrong with it. */
export function describeCycle<E extends Entry>(
  cycle: readonly E[],
): { readonly first: E; readonly what: string } {
  const first = cycle.reduce((a, b) => (b.offset < a.offset ? b : a));
  const size = formatCounted(cycle.length, 'entry', 'entries');
  const longer = `is its own ancestor, with ${size} in the cycle`;
  return { first, what: cycle.length === 1 ? 'is its own parent' : longer };
}

function collectCycle<E extends Entry>(first: E, parentOf: (entry: E) => E | undefined): E[] {
  const cycle = [first];
  for (let at = parentOf(first); at !== undefined && at !== first; at = parentOf(at)) {
    cycle.push(at);
  }
  return cycle;
}
