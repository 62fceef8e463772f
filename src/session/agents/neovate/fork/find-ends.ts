import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { findLeaves, type Tree } from '../../../model/tree/tree.ts';

/** The last message of every branch, in file order. Results that a cancelled turn left behind are no branches. */
export function findEnds(_session: Session, tree: Tree): readonly Entry[] {
  const leaves = findLeaves(tree);
  const givenUp = findGivenUp(leaves, tree);
  return leaves.filter((leaf) => !givenUp.has(leaf));
}

/** A cancelled turn leaves a line for every tool; those but the last are no branch of their own. */
function findGivenUp(leaves: readonly Entry[], tree: Tree): ReadonlySet<Entry> {
  const last = new Map<Entry, number>();
  for (const parent of new Set(leaves.map((leaf) => tree.parentOf(leaf)))) {
    const tools = parent ? tree.childrenOf(parent).filter(({ role }) => role === 'tool') : [];
    if (parent)
      last.set(
        parent,
        tools.reduce((max, { offset }) => Math.max(max, offset), 0),
      );
  }
  const isGivenUp = (leaf: Entry): boolean => {
    const parent = leaf.role === 'tool' ? tree.parentOf(leaf) : undefined;
    return parent !== undefined && leaf.offset < (last.get(parent) ?? 0);
  };
  return new Set(leaves.filter(isGivenUp));
}
