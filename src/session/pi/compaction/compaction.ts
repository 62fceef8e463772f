import type { CompactionDialect } from '../../compaction.ts';
import { readContextWindow } from './context-window.ts';
import { formatFileLists } from './file-lists.ts';
import { prepareCompaction } from './prepare.ts';
import { readCompactionSettings } from './settings.ts';
import { toCompactionEntry } from './to-entry.ts';
import { toSpokenMessages } from './to-spoken.ts';

/** Context compaction as pi 0.87.1 does it. */
export const compaction: CompactionDialect = {
  prepare: prepareCompaction,
  toSpokenMessages,
  formatFileLists,
  toEntry: toCompactionEntry,
  readSettings: readCompactionSettings,
  readContextWindow,
};
