import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import { findBeside } from '../../../reduce/choose-entries.ts';
import { findBookkeeping } from './bookkeeping.ts';

/**
 * Lists the entries beside the current path. Every tree of another root is kept, since damage makes one, and so is
 * all that is above an entry which a kept one names.
 */
export function findAbandoned(forest: Forest): ReadonlySet<Entry> {
  const { tree, entries } = forest;
  const abandoned = findBeside(tree);
  const bookkeeping = findBookkeeping(forest);
  // It grows while it is walked.
  const kept = entries.filter((entry) => bookkeeping.has(entry) || !abandoned.has(entry));
  for (const { targetId } of kept) {
    let at = targetId === undefined ? undefined : tree.get(targetId);
    for (; at && abandoned.delete(at); at = tree.parentOf(at)) kept.push(at);
  }
  for (const entry of bookkeeping) abandoned.delete(entry);
  return abandoned;
}
