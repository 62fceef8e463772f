import { countKept, prepareCompaction } from './prepare.ts';
import { readCompactionSettings } from './settings.ts';
import { toCompactionEntry } from './to-entry.ts';
import { toSpokenMessages } from './to-spoken.ts';
import { readContextWindow } from './tokens/context-window.ts';
import { type CompactionDialect, DEFAULT_RESERVE_TOKENS } from '../../../dialect/compaction.ts';
import { deriveShortId } from '../../../model/ids/synthetic-ids.ts';

/** Context compaction as pi 1.6.0 does it. */
export const compaction: CompactionDialect = {
  prepare: prepareCompaction,
  toSpokenMessages,
  deriveId: deriveShortId,
  isOutgrown: (tokens, contextWindow) => tokens > contextWindow - DEFAULT_RESERVE_TOKENS,
  countKept,
  storesSummaryOnly: false,
  toEntries: (preparation, made) =>
    Promise.resolve({ entry: toCompactionEntry(preparation, made) }),
  readSettings: readCompactionSettings,
  readContextWindow,
};
