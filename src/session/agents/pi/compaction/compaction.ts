import { createHash } from 'node:crypto';
import { countKept, prepareCompaction } from './prepare.ts';
import { readCompactionSettings } from './settings.ts';
import { toCompactionEntry } from './to-entry.ts';
import { toSpokenMessages } from './to-spoken.ts';
import { readContextWindow } from './tokens/context-window.ts';
import { type CompactionDialect, DEFAULT_RESERVE_TOKENS } from '../../../dialect/compaction.ts';

const ID_LENGTH = 8;

/** 8 hex digits, more where those are taken. */
function createId(leafId: string | undefined, isTaken: (id: string) => boolean): string {
  const digest = createHash('sha256').update(`compaction\0${leafId}`).digest('hex');
  let length = ID_LENGTH;
  while (length < digest.length && isTaken(digest.slice(0, length))) length += 1;
  return digest.slice(0, length);
}

/** Context compaction as pi 1.6.0 does it. */
export const compaction: CompactionDialect = {
  prepare: prepareCompaction,
  toSpokenMessages,
  createId,
  isDue: (tokens, contextWindow, { enabled, reserveTokens = DEFAULT_RESERVE_TOKENS }) =>
    enabled && tokens > contextWindow - reserveTokens,
  countKept,
  storesSummaryOnly: false,
  toEntries: (preparation, made) =>
    Promise.resolve({ entry: toCompactionEntry(preparation, made) }),
  readSettings: readCompactionSettings,
  readContextWindow,
};
