import type { CompactionDialect } from '../../../dialect/compaction.ts';
import { deriveUuid } from '../../../model/ids/synthetic-ids.ts';
import { describeSpread } from '../index/spread-records.ts';
import { countKept, prepareCompaction, toSpokenMessages } from './prepare.ts';
import { readContextWindow, readSettings, RESERVE_TOKENS } from './settings.ts';
import { toEntries } from './to-entries.ts';

/** Context compaction as `/compact` of Claude Code 2.1.332 appends it. */
export const compaction: CompactionDialect = {
  findObstacle: describeSpread,
  prepare: prepareCompaction,
  toSpokenMessages,
  deriveId: deriveUuid,
  isOutgrown: (tokens, contextWindow) => tokens > contextWindow - RESERVE_TOKENS,
  countKept,
  storesSummaryOnly: false,
  toEntries,
  readSettings,
  readContextWindow,
};
