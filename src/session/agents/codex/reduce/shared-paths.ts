import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { getPath } from '../../../model/tree/tree.ts';
import { FULL } from '../entry/to-entry.ts';

/** The paths to where other files continue: what is sent there is sent of those. */
export function listSharedPaths({
  entries,
  tree,
  cuts = [],
}: Forest): readonly (readonly Entry[])[] {
  return cuts.flatMap((cut) => {
    const isBefore = (one: Entry): boolean => isInFileItself(one) && one.offset + one.length <= cut;
    const last = entries.findLast(isBefore);
    return last ? [getPath(tree, last)] : [];
  });
}

/** The states of a path that say together how it is at its end. */
export function findCurrentStates(path: readonly Entry[]): readonly Entry[] {
  return path.slice(Math.max(0, path.findLastIndex(isFull))).filter(isState);
}

export function isState({ type }: Entry): boolean {
  return type === 'world_state';
}

export function isFull(one: Entry): boolean {
  return isState(one) && one.customType === FULL;
}

/** Returns whether a line is in the file itself, and not in one that it continues from. */
export function isInFileItself({ file }: Entry): boolean {
  return file === undefined;
}
