import { type ExitCode, UsageError } from '../../errors.ts';
import { createCompactionColumns } from '../../report/compact/columns.ts';
import { formatSummaries } from '../../report/compact/summaries.ts';
import { compactSession, type CompactionOutcome } from '../../session/compact/compact-session.ts';
import { createSettings, createWindows, rememberSettings } from '../../session/compact/settings.ts';
import { findCompactionObstacle, type SettingsFor } from '../../session/compact/plan.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readSettings } from '../../store/settings/settings.ts';
import type { Context } from '../command.ts';
import { HOOKS_LATER, loadHooks } from '../shared/hooks.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import { getStyle, writeAll } from '../shared/output/output.ts';
import { runChanges, type SkippedSession } from '../shared/change-sessions.ts';
import { toUnchanged } from '../../session/model/action.ts';
import type { ContextRequest } from './request.ts';

const WORDS = {
  verb: 'compact',
  past: 'Compacted',
  how: 'add --apply',
  unchanged: { one: 'needs no compaction', many: 'need no compaction' },
} as const;

/** Runs `coppice compact` without reducers: adds a compaction to every session that is due. */
export async function compactContexts(
  request: ContextRequest,
  context: Context,
): Promise<ExitCode> {
  const { output, jobs } = request;
  const hooks = await loadHooks(request.hook, context);
  const { exitCode, results } = await runChanges(
    request,
    {
      command: 'compact',
      words: WORDS,
      columns: createCompactionColumns(context.home),
      label: 'Compacting',
      asked: 'compact',
      findObstacle: findCompactionObstacle,
      jobs,
      start: () => createJob(request, hooks, context),
      toResult,
    },
    context,
  );
  if (request.showsSummaries && output.format === 'table') {
    await writeAll(
      formatSummaries(results, context.home, await getStyle(output, context)),
      context,
    );
  }
  return exitCode;
}

function createJob(
  request: ContextRequest,
  hooks: Hooks,
  context: Context,
): (session: SessionSummary) => Promise<CompactionOutcome> {
  const world = { ...context, readSettings: rememberSettings(readSettings) };
  const settingsOf = createSettings(request, world);
  const { summarizer, instructions, force } = request;
  const { apply } = request.change;
  const options = {
    contextWindowOf: createWindows(request, world),
    summarizer,
    instructions,
    maxTokens: request.summaryTokens,
    force,
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
      if (error instanceof UsageError)
        return toResult(toUnchanged(session, 'fail', [error.message]));
      throw error;
    }
  };
}

function toResult(skipped: SkippedSession): CompactionOutcome {
  return { ...skipped, compaction: null };
}
