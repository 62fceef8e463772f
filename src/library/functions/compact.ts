import { createIdleSignal } from '../../session/jsonl/files/idle-signal.ts';
import {
  compactSession as compact,
  type CompactionOutcome,
  type CompactOptions,
} from '../../session/compact/compact-session.ts';
import {
  type CompactionPlan,
  planCompaction as plan,
  type SettingsFor,
} from '../../session/compact/plan.ts';
import { createWindows } from '../../session/compact/settings.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { createCompleter } from '../../store/sessions/surroundings.ts';
import { readSettings } from '../../store/settings/settings.ts';
import { extractive } from '../../summarize/extractive/extractive.ts';
import {
  checkOptional,
  checkOptions,
  checkSummarizer,
  toPath,
  withoutUndefined,
} from '../arguments.ts';
import { getAgentWorld } from '../world.ts';
import type { FindUse } from '../../session/model/in-use.ts';
import { findRecentUse, guardUse } from './guard-use.ts';

/**
 * Plans the compaction at the current leaf, by default with the settings of the session's agent;
 * sizes in tokens. Writes nothing. @throws TypeError for a wrong argument; FileError if the file
 * cannot be read, is not a session, or is of an agent without compaction.
 */
export async function planCompaction(
  path: string,
  settingsFor?: SettingsFor,
): Promise<CompactionPlan> {
  const file = toPath('path', path);
  checkOptional('settingsFor', 'function', settingsFor);
  return plan(file, settingsFor ?? createSettingsFor(file));
}

const COMPACT_KINDS = {
  settingsFor: 'function',
  contextWindowOf: 'function',
  summarizer: 'object',
  instructions: 'text',
  maxTokens: 'count',
  force: 'flag',
  apply: 'flag',
  findUse: 'function',
  now: 'function',
  signal: 'signal',
  beforeCompaction: 'function',
  afterCompaction: 'function',
} as const;

/**
 * Appends a compaction to a session whose context has outgrown its model, or without `apply`
 * reports the compaction that it would append. Missing options have the defaults of `coppice
 * compact`: the settings of the session's agent, a window of 200,000 tokens, the extractive
 * summarizer; a session that was used in the last ten minutes is skipped. @throws TypeError for a wrong argument; FileError if the file cannot be read or
 * written.
 */
export async function compactSession(
  path: string,
  options: Partial<CompactOptions & { readonly findUse: FindUse }> = {},
): Promise<CompactionOutcome> {
  const file = toPath('path', path);
  checkOptions(options, COMPACT_KINDS);
  if (options.summarizer) checkSummarizer(options.summarizer);
  const { findUse = findRecentUse, ...given } = options;
  const compacting = {
    settingsFor: createSettingsFor(file),
    contextWindowOf: createWindows({ windows: [], reserveTokens: undefined }, getEnvironment()),
    summarizer: extractive,
    force: false,
    apply: false,
    now: Date.now,
    signal: createIdleSignal(),
    ...withoutUndefined(given),
  };
  const { apply } = compacting;
  const work = () => compact(file, compacting);
  return guardUse<CompactionOutcome>(file, {
    apply,
    findUse,
    work,
    toSkipped: (skipped) => ({ ...skipped, compaction: null }),
  });
}

function getEnvironment() {
  return { ...getAgentWorld(), readSettings };
}

/** The agent's settings for the directory that a session is at work in. */
function createSettingsFor(path: string): SettingsFor {
  return async (dialect, header, model) =>
    dialect.readSettings(getEnvironment(), header?.cwd ?? (await findCwd(path)), model);
}

async function findCwd(path: string): Promise<string> {
  const summary = await summarizeSession(path, { usage: false });
  return 'kind' in summary ? '' : (await createCompleter(getAgentWorld())(summary)).cwd;
}
