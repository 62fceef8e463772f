import { type ExitCode, UsageError } from '../../errors.ts';
import { createCompactionColumns } from '../../report/compact/columns.ts';
import { formatSummaries } from '../../report/compact/summaries.ts';
import type { CompactionDialect, CompactionSettings } from '../../session/dialect/compaction.ts';
import {
  type CompactOptions,
  compactSession,
  type CompactionOutcome,
} from '../../session/compact/compact-session.ts';
import type { ModelRef } from '../../session/model/entry.ts';
import type { SettingsFor } from '../../session/compact/plan.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { parseAge } from '../../store/select/age.ts';
import { createNameMatcher } from '../../store/find/name-matcher.ts';
import { readSettings } from '../../store/settings/settings.ts';
import { applies, reportActions, showsUnchanged } from '../shared/report-actions.ts';
import type { Context } from '../command.ts';
import { HOOKS_LATER, loadHooks } from '../shared/hooks.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import { getStyle, writeAll } from '../shared/output.ts';
import { changeSessions, type ChangeRun, leave, type Left } from '../shared/guard.ts';
import { findSessions } from '../shared/select.ts';
import { createSummarizer } from '../shared/summarizer.ts';
import type { StoreEnvironment } from '../../session/dialect/environment.ts';
import type { CompactArgs } from './options.ts';

const DEFAULT_WINDOW = 200_000;
const WORDS = {
  verb: 'compact',
  past: 'Compacted',
  how: 'add --apply',
} as const;

/** `coppice compact` without reducers: a checkpoint for every session that is due. */
export async function compactContexts(args: CompactArgs, context: Context): Promise<ExitCode> {
  const grace = parseAge(args.grace, '--grace', context.now());
  const apply = applies(args);
  const hooks = await loadHooks(args.hook, context);
  const change = createJob(args, context, { apply, hooks });
  const { sessions, linked, problems } = await findSessions(args, context, { usage: false });
  const run: ChangeRun<CompactionOutcome> = {
    label: 'Compacting',
    // A job that waits for a network needs no core.
    jobs: args.summarizer === 'openai' ? Math.max(args.jobs, args.requests) : args.jobs,
    grace,
    linked,
    change,
    toResult,
  };
  const results = await changeSessions(sessions, run, context);
  const columns = createCompactionColumns(context.home);
  const isShown = showsUnchanged(results, args);
  const report = {
    command: 'compact',
    applied: apply,
    results,
    problems,
    columns,
    isShown,
    words: { ...WORDS, unchanged: 'need no compaction' },
  };
  const exitCode = await reportActions(report, args, context);
  if (args['show-summaries'] && args.format === 'table' && !args.json) {
    await writeAll(formatSummaries(results, context.home, await getStyle(args, context)), context);
  }
  return exitCode;
}

function createJob(
  args: CompactArgs,
  context: Context,
  { apply, hooks }: { readonly apply: boolean; readonly hooks: Hooks },
): (session: SessionSummary) => Promise<CompactionOutcome> {
  const environment = { ...context, readSettings: rememberSettings() };
  const summarizer = createSummarizer(args, context);
  const settingsOf = createSettings(args, environment);
  const options = {
    contextWindowOf: createWindows(
      args['context-window'] ?? [],
      args['reserve-tokens'],
      environment,
    ),
    // A preview must not cost anything: then only what is free is asked.
    summarizer: apply || args.summarizer === 'extractive' ? summarizer : undefined,
    instructions: args.instructions,
    maxTokens: args['summary-tokens'],
    force: args.force,
    ...(apply && hooks),
    apply,
    now: context.now,
    signal: context.signal,
  };
  return async (session) => {
    try {
      const settingsFor: SettingsFor = (dialect, _, model) =>
        settingsOf(dialect, session.cwd, model);
      const outcome = await compactSession(session.path, { ...options, settingsFor });
      const isOpen = !apply && hooks.beforeCompaction && outcome.action === 'compact';
      return isOpen ? { ...outcome, reasons: [...outcome.reasons, HOOKS_LATER] } : outcome;
    } catch (error) {
      // The settings of one project must not end the run for all others.
      if (error instanceof UsageError) return toResult(leave(session, 'fail', error.message));
      throw error;
    }
  };
}

function toResult(left: Left): CompactionOutcome {
  return { ...left, compaction: null };
}

/** Many sessions share a few settings files. */
function rememberSettings(): StoreEnvironment['readSettings'] {
  const known = new Map<string, ReturnType<typeof readSettings>>();
  return (path) => {
    const settings = known.get(path) ?? readSettings(path);
    known.set(path, settings);
    return settings;
  };
}

function createSettings(
  args: CompactArgs,
  environment: StoreEnvironment,
): (
  dialect: CompactionDialect,
  cwd: string,
  model: ModelRef | null,
) => Promise<CompactionSettings> {
  const keepRecentTokens = args['keep-recent-tokens'];
  const reserveTokens = args['reserve-tokens'];
  return async (dialect, cwd, model) => {
    const settings = await dialect.readSettings(environment, cwd, model);
    const { enabled, due = settings } = settings;
    return {
      enabled,
      keepRecentTokens: keepRecentTokens ?? settings.keepRecentTokens,
      reserveTokens: reserveTokens ?? settings.reserveTokens,
      due: { enabled: due.enabled, reserveTokens: reserveTokens ?? due.reserveTokens },
    };
  };
}

type ContextWindowOf = CompactOptions['contextWindowOf'];

/** What the command line says of a model, then what the agent was told, then the default. */
function createWindows(
  texts: readonly string[],
  reserveTokens: number | undefined,
  environment: StoreEnvironment,
): ContextWindowOf {
  const windows = texts.map(parseWindow);
  if (reserveTokens !== undefined && windows.length > 0) {
    const largest = Math.max(...windows.map(({ tokens }) => tokens));
    if (reserveTokens >= largest) {
      throw new UsageError(
        `--reserve-tokens ${reserveTokens}: must be less than --context-window ${largest}`,
      );
    }
  }
  const findWindow: ContextWindowOf = async (dialect, model) => {
    const name = `${model?.provider ?? ''}/${model?.modelId ?? ''}`;
    const given = windows.find(({ fits }) => fits?.(name)) ?? windows.find(({ fits }) => !fits);
    if (given) return given.tokens;
    const told = model ? await dialect.readContextWindow(environment, model) : undefined;
    return told ?? DEFAULT_WINDOW;
  };
  return async (dialect, model) => {
    const window = await findWindow(dialect, model);
    if (reserveTokens === undefined || reserveTokens < window) return window;
    throw new UsageError(
      `--reserve-tokens ${reserveTokens}: must be less than the context window, ${window}`,
    );
  };
}

interface Window {
  /** Undefined where it is for every model. */
  readonly fits: ((model: string) => boolean) | undefined;
  readonly tokens: number;
}

function parseWindow(text: string): Window {
  const [, glob, amount] = /^(?:(.+)=)?(\d+)$/.exec(text) ?? [];
  if (amount === undefined) {
    throw new UsageError(
      `--context-window ${text}: write 200000, or 'anthropic/claude-*=1000000' for some models`,
    );
  }
  const fits = glob === undefined ? undefined : createNameMatcher(glob);
  return { fits, tokens: Number(amount) };
}
