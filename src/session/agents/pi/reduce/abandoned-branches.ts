import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import { getPath } from '../../../model/tree/tree.ts';
import { findBookkeeping } from './bookkeeping.ts';

/**
 * Entries beside the current path, with the states of files that were noted for them. Kept are:
 * every tree of another root, since a compaction begins one and damage makes them; sub-agents of
 * old releases; and what a boundary keeps.
 */
export function findAbandoned(forest: Forest): ReadonlySet<Entry> {
  const { tree, entries } = forest;
  const path = getPath(tree, tree.leaf);
  // Both grow while they are walked.
  const beside = new Set(path.slice(0, 1));
  for (const entry of beside) for (const child of tree.childrenOf(entry)) beside.add(child);
  const bookkeeping = findBookkeeping(forest);
  /** The entries of the path, and all that is above what a kept entry names. */
  const kept = new Set(path);
  const staying = entries.filter(
    (entry) => kept.has(entry) || bookkeeping.has(entry) || !beside.has(entry),
  );
  for (const { targetId } of staying) {
    let at = targetId === undefined ? undefined : tree.get(targetId);
    for (; at && !kept.has(at); at = tree.parentOf(at)) {
      kept.add(at);
      staying.push(at);
    }
  }
  for (const entry of staying) beside.delete(entry);
  return beside;
}
