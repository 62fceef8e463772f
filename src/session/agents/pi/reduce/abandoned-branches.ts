import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import { getCurrentPath } from '../../../model/tree/tree.ts';
import { findBookkeeping } from './bookkeeping.ts';

/**
 * Lists the entries beside the current path. Every tree of another root is kept, since damage makes one, and so is
 * all that is above an entry which a kept one names.
 */
export function findAbandoned(forest: Forest): ReadonlySet<Entry> {
  const { tree, entries } = forest;
  const path = getCurrentPath(tree);
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
