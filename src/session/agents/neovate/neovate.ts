import type { Dialect } from '../../dialect/dialect.ts';
import { getModelSettings } from '../../dialect/model-settings.ts';
import { buildContext, selectContext } from './context.ts';
import { findDefaultStores } from './places/default-stores.ts';
import { describeEntry } from './entry/describe-entry.ts';
import { compaction } from './compaction/compaction.ts';
import { forking } from './fork/forking.ts';
import { getEntryUsage } from './entry/entry-usage.ts';
import {
  CURRENT_VERSION,
  hasReadableTitle,
  isKnownLine,
  isNeovateLine,
  isRequestLogLine,
  toSessionId,
} from './format.ts';
import { listStores, sidecars } from './places/sidecars.ts';
import { SessionIndexer } from './index/index-session.ts';
import { placePath } from './index/place-path.ts';
import { toCurrentLine } from '../../model/tree/rechain.ts';
import { reduction } from './reduce/reduction.ts';
import { rules } from './rules/rules.ts';
import { SessionSummarizer } from './index/summarize.ts';
import { surroundings } from './places/surroundings.ts';
import { PiConverter } from './to-pi/converter.ts';
import { toSent } from './entry/to-sent.ts';
import { toTurns } from './entry/to-turn.ts';

/** Sessions of Neovate Code, releases 0.11 to 0.17.1 and the newer lines that are known. */
export const neovate: Dialect = {
  agent: 'neovate',
  currentVersion: CURRENT_VERSION,
  lines: {
    recognizes: isNeovateLine,
    isKnown: (value) => isKnownLine(value) && hasReadableTitle(value),
    disowns: isRequestLogLine,
  },
  places: {
    ownFacts: ['formatVersion'],
    defaultStores: findDefaultStores,
    listStores,
    namesParentsById: true,
    surroundings,
  },
  reading: {
    indexSession: () => new SessionIndexer(),
    summarize: (_framing, options) => new SessionSummarizer(options),
    getSessionId: ({ path }) => toSessionId(path),
  },
  context: {
    select: selectContext,
    build: buildContext,
    toSent,
    getSettings: getModelSettings,
  },
  entries: {
    toTurns,
    describe: describeEntry,
    getUsage: getEntryUsage,
    isSnapshot: ({ type }) => type === 'snapshot' || type === 'file-history-snapshot',
  },
  copying: { placePath, toCurrentLine },
  rules,
  sidecars,
  compaction,
  reduction,
  forking,
  conversions: { pi: { createConverter: () => new PiConverter() } },
};
