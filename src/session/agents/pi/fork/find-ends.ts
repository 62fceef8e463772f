import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { rechain } from '../../../model/tree/rechain.ts';
import type { Tree } from '../../../model/tree/tree.ts';

/**
 * The last entry of each branch, in file order. A label is a mark, and makes no branch: it ends the one of
 * its parent, if nothing else does.
 */
export function findEnds({ entries }: Session, tree: Tree): readonly Entry[] {
  const inTree = entries.filter(({ id }, at) => id === undefined || tree.get(id) === entries[at]);
  const kept = inTree.filter((entry) => !isLabel(entry));
  const parents = new Set(rechain(tree, kept).map(({ parentId }) => parentId));
  const ends = kept.filter(({ id }) => id === undefined || !parents.has(id));
  return ends.map((end) => findLastLabel(end, tree) ?? end);
}

/** The last of the labels that were set right behind an entry, one behind the other. */
function findLastLabel(end: Entry, tree: Tree): Entry | undefined {
  let last: Entry | undefined;
  for (let at = findLabel(end, tree); at; at = findLabel(at, tree)) last = at;
  return last;
}

function findLabel(parent: Entry, tree: Tree): Entry | undefined {
  return tree.childrenOf(parent).findLast(isLabel);
}

function isLabel({ type }: Entry): boolean {
  return type === 'label';
}
