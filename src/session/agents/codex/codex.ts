import type { Dialect } from '../../dialect/dialect.ts';
import { getModelSettings } from '../../dialect/model-settings.ts';
import { buildContext, selectContext } from './context/context.ts';
import { describeEntry } from './entry/describe-entry.ts';
import { selectShown } from './entry/select-shown.ts';
import { toTurns } from './entry/to-turn.ts';
import { flattening } from './fork/flattening.ts';
import { forking } from './fork/forking.ts';
import { CURRENT_VERSION, isCodexLine, isKnownLine, parseName } from './format.ts';
import { compaction } from './compaction/compaction.ts';
import { bases, listStores } from './index/bases.ts';
import { SessionIndexer } from './index/index-session.ts';
import { placePath, toCurrentHeader } from './index/place-path.ts';
import { SessionSummarizer } from './index/summarize.ts';
import { findDefaultStores } from './places/default-stores.ts';
import { liveness } from './places/liveness.ts';
import { records } from './places/database/records.ts';
import { rows } from './places/database/rows.ts';
import { sidecars } from './places/sidecars.ts';
import { spawned } from './places/spawned.ts';
import { migration } from './migrate/migration.ts';
import { relocation } from './migrate/relocation.ts';
import { reduction } from './reduce/reduction.ts';
import { repairing } from './rules/repairing.ts';
import { rules } from './rules/rules.ts';
import { convertToPi } from './to-pi/convert.ts';
import { toSent } from './context/to-sent.ts';
import { packing, listOlderGenerations } from './places/rollout-paths.ts';

/** Rollouts of Codex, releases 0.8 to 0.171. */
export const codex: Dialect = {
  agent: 'codex',
  currentVersion: CURRENT_VERSION,
  lines: { recognizes: isCodexLine, isKnown: isKnownLine },
  places: {
    ownFacts: ['source', 'archived', 'formatVersion'],
    defaultStores: findDefaultStores,
    listOlder: listOlderGenerations,
    listStores,
    spawned,
    records,
  },
  reading: {
    indexSession: () => new SessionIndexer(),
    summarize: (_framing, options) => new SessionSummarizer(options),
    getSessionId: ({ header, path }) => header?.id ?? parseName(path)?.threadId,
  },
  context: {
    select: selectContext,
    build: buildContext,
    toSent,
    getSettings: getModelSettings,
  },
  entries: {
    toTurns: (value, _role, _edit, entry, shows) =>
      toTurns(value, { model: entry?.model, toolName: entry?.customType, shows }),
    selectShown,
    splitsAnswers: true,
    describe: describeEntry,
    getUsage: () => undefined,
    isSnapshot: ({ type }) => type === 'world_state',
  },
  copying: {
    placePath,
    toCurrentLine: (bytes) => bytes,
    toCurrentHeader,
  },
  rules,
  levels: new Map([['file-bom', 'error']]),
  bases,
  flattening,
  repairing,
  liveness,
  rows,
  forking,
  packing,
  compaction,
  migration,
  relocation,
  sidecars,
  conversions: { pi: { convert: convertToPi } },
  reduction,
};
