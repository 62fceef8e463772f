import type { Forest } from '../../../dialect/reduction.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Entry } from '../../../model/entry.ts';
import { getCurrentPath } from '../../../model/tree/tree.ts';
import { selectContext } from '../context/context.ts';
import { REPLACES } from '../entry/to-entry.ts';
import { formatNumber } from '../../../model/text/numbers.ts';
import {
  findCurrentStates,
  isFull,
  isInFileItself,
  isState,
  listSharedPaths,
} from './shared-paths.ts';

/** Finds states of the surroundings that a later line of the path repeats completely. */
export function findSuperseded(forest: Forest): ReadonlySet<Entry> {
  const { entries, tree, cuts = [] } = forest;
  const path = getCurrentPath(tree);
  const last = path.findLast(isFull);
  if (!last || !isInFileItself(last)) return new Set();
  const needed = new Set(listSharedPaths(forest).flatMap(findCurrentStates));
  return new Set(
    entries.filter((one) => {
      const isCurrent = needed.has(one) || one.offset >= last.offset || cuts.includes(one.offset);
      return isInFileItself(one) && isState(one) && !isCurrent;
    }),
  );
}

/**
 * Compactions that a later one on the path replaces: of the context that they held, nothing is sent
 * again unless somebody goes back to before that one.
 */
export function findTrimmed(forest: Forest): ReadonlySet<Entry> {
  const { entries, tree } = forest;
  const path = getCurrentPath(tree);
  const current = selectContext(path);
  const needed = new Set([...current, ...listSharedPaths(forest).flatMap(selectContext)]);
  const end = findRereadStart(entries, path);
  const isTrimmed = (one: Entry): boolean =>
    isInFileItself(one) && isReplacing(one) && !needed.has(one) && one.offset < end;
  return current.length === 0 ? new Set() : new Set(entries.filter(isTrimmed));
}

function isReplacing({ type, customType }: Entry): boolean {
  return type === 'compaction' && customType === REPLACES;
}

/**
 * The place from which releases before 0.148 read a file again: the newest compaction on the path. Behind it, they
 * first apply the compactions that a rollback has undone, and then the rollback to what these held.
 */
function findRereadStart(entries: readonly Entry[], path: readonly Entry[]): number {
  if (!entries.some(({ type }) => type === 'thread_rolled_back')) return Infinity;
  return path.findLast(isReplacing)?.offset ?? 0;
}

/** Describes the loss: Codex sends only the content of the newest compaction. */
export function describeTrimmed({ tree }: Forest): string {
  const last = getCurrentPath(tree).findLast(({ type }) => type === 'compaction');
  const size = last ? ` (${formatNumber(last.length)} bytes)` : '';
  return (
    'a rollback or revert to before its last compaction is no longer possible; that one' +
    `${size} is current context, and kept`
  );
}

/** A compaction that says that the context was replaced, and no longer by what. */
export function trimHistory(bytes: Buffer): Buffer | undefined {
  const edits = [
    { key: 'replacement_history', value: '[]' },
    { key: 'replacement_history_metadata', value: undefined },
    { key: 'retained_context', value: undefined },
  ];
  const trimmed = spliceObject(bytes, edits, { at: ['payload'] });
  return trimmed && trimmed.length < bytes.length ? trimmed : undefined;
}
