import type { Entry } from '../model/entry.ts';
import type { CheckedSession } from '../dialect/rule.ts';
import type { Tree } from '../model/tree/tree.ts';
import { surveyParents } from './relations.ts';

/** Every cycle of entries that are each other's ancestors. Linear in the number of entries. */
export function findCycles(checked: CheckedSession): readonly (readonly Entry[])[] {
  const cycles: Entry[][] = [];
  if (!surveyParents(checked).hasLateParent) return cycles;
  const { session, tree } = checked;
  /** The entry from which each was first reached. */
  const startOf = new Map<Entry, Entry>();
  for (const start of session.entries) {
    let at: Entry | undefined = start;
    while (at !== undefined && !startOf.has(at)) {
      startOf.set(at, start);
      at = tree.parentOf(at);
    }
    if (at !== undefined && startOf.get(at) === start) cycles.push(collectCycle(tree, at));
  }
  return cycles;
}

function collectCycle(tree: Tree, first: Entry): Entry[] {
  const cycle = [first];
  for (let at = tree.parentOf(first); at !== undefined && at !== first; at = tree.parentOf(at)) {
    cycle.push(at);
  }
  return cycle;
}
