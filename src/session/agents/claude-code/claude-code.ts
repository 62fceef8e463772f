import type { Dialect } from '../../dialect/dialect.ts';
import { getModelSettings } from '../../dialect/model-settings.ts';
import { buildContext, selectContext } from './context/context.ts';
import { isStopgap } from './context/repair-messages.ts';
import { toSent } from './context/to-sent.ts';
import { describeEntry } from './entry/describe-entry.ts';
import { getEntryUsage } from './entry/entry-usage.ts';
import { selectShown } from './entry/select-shown.ts';
import { toTurns } from './entry/to-turn.ts';
import {
  CURRENT_VERSION,
  isClaudeCodeLine,
  isHelperLine,
  isKnownLine,
  toSessionId,
  isSnapshot,
} from './format.ts';
import { SessionIndexer } from './index/index-session.ts';
import { placePath } from './index/tree/place-path.ts';
import { toCurrentLine } from '../../model/tree/rechain.ts';
import { compaction } from './compaction/compaction.ts';
import { forking } from './fork/forking.ts';
import { relocation } from './migrate/relocation.ts';
import { PiConverter } from './to-pi/convert.ts';
import { reduction } from './reduce/reduction.ts';
import { repairing } from './rules/repairing.ts';
import { levels, rules } from './rules/rules.ts';
import { PlainSummarizer, SessionSummarizer } from './index/summarize.ts';
import { Titles } from './index/titles.ts';
import { findDefaultStores } from './places/default-stores.ts';
import { history } from './places/history.ts';
import { notes } from './places/notes.ts';
import { pins } from './places/pins.ts';
import { subagents } from './places/subagents.ts';
import { isSessionPath, listStores, liveness, sidecars } from './places/session-files.ts';

/** Sessions of Claude Code, releases 1.0.59 to 2.1.332. */
export const claudeCode: Dialect = {
  agent: 'claude-code',
  currentVersion: CURRENT_VERSION,
  lines: {
    recognizes: isClaudeCodeLine,
    isKnown: (value) => isKnownLine(value) && Titles.isReadable(value),
    disowns: isHelperLine,
  },
  places: {
    ownFacts: ['expires', 'source', 'archived'],
    defaultStores: findDefaultStores,
    listStores,
    namesParentsById: true,
    leavesEmpty: isSessionPath,
    notes,
    subagents,
  },
  reading: {
    indexSession: () => new SessionIndexer(),
    summarize: (_framing, options) => new SessionSummarizer(options),
    summarizePlain: (options) => new PlainSummarizer(options),
    getSessionId: ({ path }) => toSessionId(path),
  },
  context: {
    select: selectContext,
    build: buildContext,
    toSent,
    namesLeaf: true,
    isStopgap: (block) => 'text' in block && isStopgap(block.text),
    getSettings: getModelSettings,
  },
  entries: {
    toTurns,
    selectShown,
    describe: describeEntry,
    getUsage: getEntryUsage,
    isSnapshot,
  },
  copying: { placePath, toCurrentLine },
  rules,
  levels,
  repairing,
  compaction,
  reduction,
  forking,
  relocation,
  conversions: { pi: { createConverter: () => new PiConverter() } },
  sidecars,
  history,
  liveness,
  pins,
};
