import type { Dialect } from '../dialect.ts';
import { compaction } from './compaction/compaction.ts';
import { buildContext } from './build-context.ts';
import { forking } from './fork/forking.ts';
import { findEdits, getContextSettings, selectContext } from './context.ts';
import { findDefaultStores, findProjectStore } from './default-stores.ts';
import { findNewPath } from './new-path.ts';
import { describeEntry } from './describe-entry.ts';
import { getEntryUsage } from './entry-usage.ts';
import { CURRENT_VERSION, isKnownLine, isPiLine } from './format.ts';
import { SessionIndexer } from './index-session.ts';
import { placePath } from './place-path.ts';
import { reduction } from './reduce/reduction.ts';
import { migration } from './migrate/migrate.ts';
import { rules } from './rules/rules.ts';
import { SessionSummarizer } from './summarize.ts';
import { toTurns } from './to-turn.ts';
import { toCurrentHeader, toCurrentLine } from './upgrade-line.ts';

/** Sessions of the `pi` coding agent, releases 0.7 to 1.5. */
export const pi: Dialect = {
  agent: 'pi',
  currentVersion: CURRENT_VERSION,
  recognizes: isPiLine,
  isKnown: isKnownLine,
  getSessionId: ({ header }) => header?.id,
  indexSession: (framing) => new SessionIndexer(framing),
  summarize: (framing, options) => new SessionSummarizer(framing, options),
  selectContext,
  buildContext,
  getContextSettings,
  compaction,
  reduction,
  findEdits,
  toTurns,
  placePath,
  toCurrentLine,
  toCurrentHeader,
  getEntryUsage,
  describeEntry,
  forking,
  rules,
  migration,
  findNewPath,
  defaultStores: findDefaultStores,
  findProjectStore,
};
