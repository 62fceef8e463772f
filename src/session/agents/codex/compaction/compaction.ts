import type { CompactionDialect } from '../../../dialect/compaction.ts';
import { deriveUuid } from '../../../model/ids/synthetic-ids.ts';
import { LEGACY_VERSION } from '../format.ts';
import { prepareCompaction, toSpokenMessages } from './prepare.ts';
import { toEntries } from './to-entries.ts';

/** Codex compacts once nine tenths of the window are taken. */
const RESERVED_PART = 0.1;
/** The tokens of prompts that the client keeps. */
const KEEP_RECENT_TOKENS = 20_000;

/** Context compaction as `/compact` of Codex 0.169 does it, in the one line that the client reads. */
export const compaction: CompactionDialect = {
  oldestVersion: LEGACY_VERSION,
  prepare: prepareCompaction,
  toSpokenMessages,
  deriveId: deriveUuid,
  isOutgrown: (tokens, contextWindow) => tokens > contextWindow - contextWindow * RESERVED_PART,
  // All that is kept stands in the line itself.
  countKept: () => Promise.resolve(0),
  storesSummaryOnly: true,
  toEntries,
  readSettings: () =>
    Promise.resolve({
      enabled: true,
      reserveTokens: undefined,
      keepRecentTokens: KEEP_RECENT_TOKENS,
    }),
  readContextWindow: () => Promise.resolve(undefined),
};
