import type { Entry } from '../../../model/entry.ts';
import { rechain } from '../../../model/tree/rechain.ts';
import type { Tree } from '../../../model/tree/tree.ts';

/** The last entry of each branch, in file order. A label is a mark, and makes no branch. */
export function findLeaves(entries: readonly Entry[], tree: Tree): readonly Entry[] {
  const inTree = entries.filter(({ id }, at) => id === undefined || tree.get(id) === entries[at]);
  const kept = inTree.filter(({ type }) => type !== 'label');
  const parents = new Set(rechain(tree, kept).map(({ parentId }) => parentId));
  return kept.filter(({ id }) => id === undefined || !parents.has(id));
}
