import type { Dialect } from '../../dialect/dialect.ts';
import { compaction } from './compaction/compaction.ts';
import { buildContext } from './context/build-context.ts';
import { forking } from './fork/forking.ts';
import { findEdits, getContextSettings, selectContext } from './context/context.ts';
import { wrapSummary } from '../../model/text/wrap-summary.ts';
import { toSent } from './context/to-sent.ts';
import { findDefaultStores, findProjectStore } from './places/default-stores.ts';
import { describeEntry } from './entry/describe-entry.ts';
import { getEntryUsage } from './entry/entry-usage.ts';
import { CURRENT_VERSION, isKnownLine, isPiLine } from './format.ts';
import { leases } from './places/leases.ts';
import { pins } from './places/pins.ts';
import { sidecars } from './places/sidecars.ts';
import { SessionIndexer } from './index/index-session.ts';
import { placePath } from './index/place-path.ts';
import { reduction } from './reduce/reduction.ts';
import { migration } from './migrate/migrate.ts';
import { rules } from './rules/rules.ts';
import { SessionSummarizer } from './index/summarize.ts';
import { toTurns } from './entry/to-turn.ts';
import { toCurrentHeader, toCurrentLine } from './migrate/upgrade-line.ts';
import { findNewPath, listNamings, listStores } from './places/session-place.ts';

/** Sessions of the `pi` coding agent, releases 0.7 to 1.6. */
export const pi: Dialect = {
  agent: 'pi',
  currentVersion: CURRENT_VERSION,
  lines: { recognizes: isPiLine, isKnown: isKnownLine, inArrays: true },
  places: {
    ownFacts: ['formatVersion'],
    defaultStores: findDefaultStores,
    findProjectStore,
    findNewPath,
    listStores,
    listNamings,
    // `_persist` of 0.30 to 1.6: test/conformance/emptied-directory.test.ts.
    needsDirectory: true,
  },
  reading: {
    indexSession: (framing) => new SessionIndexer(framing),
    summarize: (framing, options) => new SessionSummarizer(framing, options),
    getSessionId: ({ header }) => header?.id,
  },
  context: {
    select: selectContext,
    build: buildContext,
    toSent,
    wrapSummary,
    getSettings: getContextSettings,
    findEdits,
  },
  entries: {
    toTurns,
    describe: describeEntry,
    getUsage: getEntryUsage,
    isSnapshot: ({ type }) => type === 'custom',
  },
  copying: { placePath, toCurrentLine, toCurrentHeader },
  rules,
  sidecars,
  pins,
  leases,
  compaction,
  reduction,
  forking,
  migration,
};
