import type { Entry } from '../../entry.ts';
import type { Forest } from '../../reduce/reducer.ts';
import { getPath, type Tree } from '../../tree.ts';
import { findBookkeeping } from './bookkeeping.ts';

/**
 * Entries beside the current path. Stays: what has a label, with the path to it; and every tree that
 * has another root than the current path, for damage makes such trees, too.
 */
export function findAbandoned(forest: Forest): ReadonlySet<Entry> {
  const { tree, labels } = forest;
  const path = getPath(tree, tree.leaf);
  const kept = new Set(path);
  for (const id of labels.keys()) keepPath(tree, tree.get(id), kept);
  const bookkeeping = findBookkeeping(forest);
  const abandoned = new Set<Entry>();
  const pending = path.slice(0, 1);
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (!kept.has(entry) && !bookkeeping.has(entry)) abandoned.add(entry);
    for (const child of tree.childrenOf(entry)) pending.push(child);
  }
  return abandoned;
}

function keepPath(tree: Tree, from: Entry | undefined, kept: Set<Entry>): void {
  for (let at = from; at !== undefined && !kept.has(at); at = tree.parentOf(at)) kept.add(at);
}
