import type { FlattenDialect } from '../../../dialect/flattening.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import { selectCopied } from './select-copied.ts';
import { isItem } from '../context/context.ts';
import { CURRENT_VERSION } from '../format.ts';

/**
 * Whether Codex shows a line that a sub-agent has copied only in the file of the sub-agent itself.
 */
const isShownOnce = (type: string): boolean => type === 'task_started' || type === 'task_complete';

/** The capability to make forks and later generations self-contained. */
export const flattening: FlattenDialect = {
  toWhole(header) {
    const first = spliceObject(header, [{ key: 'ordinal', value: '0' }]);
    const edits = ['history_base', 'forked_from_ordinal_exclusive'].map((key) => {
      return { key, value: undefined };
    });
    return first && spliceObject(first, edits, { at: ['payload'] });
  },
  selectInherited: (entries) =>
    selectCopied(entries, CURRENT_VERSION).filter(
      (one) => one.isCopied !== true || isItem(one) || !isShownOnce(one.type),
    ),
};
