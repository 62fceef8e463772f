import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import { walkTree } from '../../../model/tree/tree.ts';
import { findBookkeeping } from './bookkeeping.ts';

/**
 * Snapshots of extension state that a later one of the same `customType` replaces on every path that
 * goes through them: an extension reads only the last of a path.
 */
export function findSuperseded(forest: Forest): ReadonlySet<Entry> {
  const { tree } = forest;
  const bookkeeping = findBookkeeping(forest);
  const superseded = new Set<Entry>();
  /** The types, by entry, of which every path from it down to a leaf holds a snapshot. */
  const below = new Map<Entry, Set<string>>();
  const steps = [...walkTree(tree)];
  for (const { entry } of steps.toReversed()) {
    const children = tree.childrenOf(entry);
    const types = intersect(children.flatMap((child) => below.get(child) ?? []));
    for (const child of children) below.delete(child);
    if (entry.type === 'custom' && entry.customType !== undefined) {
      const isReplaced = types.has(entry.customType) && !bookkeeping.has(entry);
      if (isReplaced) superseded.add(entry);
      types.add(entry.customType);
    }
    below.set(entry, types);
  }
  return superseded;
}

/** Uses up the sets that it is given: a long chain hands one set on. */
function intersect(sets: readonly Set<string>[]): Set<string> {
  const [smallest = new Set<string>(), ...others] = sets.toSorted((a, b) => a.size - b.size);
  if (others.length === 0) return smallest;
  for (const type of smallest) if (!others.every((set) => set.has(type))) smallest.delete(type);
  return smallest;
}
