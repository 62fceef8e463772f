import { isItem } from '../context/context.ts';
import { CURRENT_VERSION } from '../format.ts';
import type { FlattenDialect } from '../../../dialect/forking.ts';
import type { Entry } from '../../../model/entry.ts';
import { withoutBase } from '../index/place-path.ts';

/**
 * Leaves out later headers, which Codex skips; in a file with ordinals its context begins behind
 * the last one, where anything stands before that.
 */
export function selectCopied(entries: readonly Entry[], version: number): readonly Entry[] {
  if (version !== CURRENT_VERSION) return entries.filter(({ type }) => type !== 'session_meta');
  const first = entries.findIndex(({ type }) => type === 'message' || type === 'compaction');
  return entries.filter(({ type }, at) => type !== 'session_meta' || (first !== -1 && at > first));
}

/**
 * Whether Codex shows a line that a sub-agent has copied only in the file of the sub-agent itself.
 */
const isShownOnce = (type: string): boolean => type === 'task_started' || type === 'task_complete';

/** The capability to make forks and later generations self-contained. */
export const flattening: FlattenDialect = {
  withoutBase,
  selectInherited: (entries) =>
    selectCopied(entries, CURRENT_VERSION).filter(
      (one) => one.isCopied !== true || isItem(one) || !isShownOnce(one.type),
    ),
};
