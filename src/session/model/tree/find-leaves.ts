import type { Entry } from '../entry.ts';
import { type Tree, walkTree } from './tree.ts';

/** The last entry of every branch that can be reached from a root, in file order. */
export function findLeaves(tree: Tree): readonly Entry[] {
  const leaves: Entry[] = [];
  for (const { entry } of walkTree(tree)) {
    if (tree.childrenOf(entry).length === 0) leaves.push(entry);
  }
  return leaves.toSorted((a, b) => a.offset - b.offset);
}
