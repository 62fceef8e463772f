import { type CompactionDialect, DEFAULT_RESERVE_TOKENS } from '../../../dialect/compaction.ts';
import { createId } from './create-id.ts';
import { readContextWindow } from './tokens/context-window.ts';
import { countKept, prepareCompaction } from './prepare.ts';
import { readCompactionSettings } from './settings.ts';
import { toCompactionEntry } from './to-entry.ts';
import { toSpokenMessages } from './to-spoken.ts';
import { formatFileLists } from '../../../model/text/format-conversation.ts';

/** Context compaction as pi 1.5.2 does it. */
export const compaction: CompactionDialect = {
  prepare: prepareCompaction,
  toSpokenMessages,
  formatFileLists,
  createId,
  isDue: (tokens, contextWindow, { enabled, reserveTokens = DEFAULT_RESERVE_TOKENS }) =>
    enabled && tokens > contextWindow - reserveTokens,
  countKept,
  storesSummaryOnly: false,
  toEntries: (preparation, checkpoint) =>
    Promise.resolve({ entry: toCompactionEntry(preparation, checkpoint) }),
  readSettings: readCompactionSettings,
  readContextWindow,
};
