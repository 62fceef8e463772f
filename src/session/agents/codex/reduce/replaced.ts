import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { getCurrentPath } from '../../../model/tree/tree.ts';
import { isItem, selectContext, selectRange } from '../context/context.ts';
import { REPLACES, SHOWN } from '../entry/to-entry.ts';
import { findCurrentStates, isInFileItself, listSharedPaths } from './shared-paths.ts';

/** Types of lines, beside items, that no person is shown. */
const UNSHOWN: ReadonlySet<string> = new Set(['compaction', 'world_state', 'turn_context']);

/**
 * Finds the part of the copied lines of a sub-agent that its newest compaction replaces, and that
 * people are not shown. Before that compaction everything is sent.
 */
export function findCopies(forest: Forest): ReadonlySet<Entry> {
  return new Set([...findSummarized(forest)].filter(({ isCopied }) => isCopied === true));
}

/**
 * Finds the lines that the newest compaction replaces, and that people are not shown. What is sent of them to a file
 * that continues from this one is kept.
 */
export function findSummarized(forest: Forest): ReadonlySet<Entry> {
  const { entries, tree, cuts = [] } = forest;
  const path = getCurrentPath(tree);
  const last = path.findLast((one) => one.type === 'compaction' && one.customType === REPLACES);
  if (!last || !isInFileItself(last)) return new Set();
  const needed = new Set([path, ...listSharedPaths(forest)].flatMap(listNeeded));
  const isBefore = (one: Entry): boolean =>
    isInFileItself(one) && one.offset < last.offset && !cuts.includes(one.offset);
  return new Set(entries.filter((one) => isBefore(one) && !needed.has(one) && isUnshown(one)));
}

function isUnshown(one: Entry): boolean {
  return (isItem(one) && one.customType !== SHOWN) || UNSHOWN.has(one.type);
}

/**
 * Lists the entries that are sent at the end of a path, with their surroundings. Codex may go back to the end of each turn
 * behind the newest compaction: then it needs the context of that turn.
 */
function listNeeded(path: readonly Entry[]): readonly Entry[] {
  const isTurn = ({ type }: Entry): boolean => type === 'turn_context';
  const last = path.findLast(isTurn);
  const turns = selectRange(path).filter(isTurn);
  return [...selectContext(path), ...findCurrentStates(path), ...turns, ...(last ? [last] : [])];
}
