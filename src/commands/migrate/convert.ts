import { createKeyedQueue } from '../../session/jsonl/files/keyed-queue.ts';
import { dirname } from 'node:path';
import type { ExitCode } from '../../errors.ts';
import { convertSession } from '../../session/migrate/convert-session.ts';
import { STOPPED } from '../../session/model/action.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { findUseReason } from '../../store/sessions/find-use.ts';
import { previewImageFiles } from '../../store/output/image-files.ts';
import { refuseLink } from '../../store/output/refuse-link.ts';
import { readSettings } from '../../store/settings/settings.ts';
import type { Context } from '../command.ts';
import { reportMigration } from './report.ts';
import { runSessions, splitBySession } from '../shared/run-sessions.ts';
import { findSessions } from '../shared/select/sessions.ts';
import { type MigrationResult, toUnchangedResult } from '../../session/migrate/types.ts';
import type { ConversionTask, MigrateRequest } from './request.ts';

/** Those that were migrated before, and those of the agent that is asked for. */
const UNCHANGED = { one: 'needs no conversion', many: 'need no conversion' };

const WORDS = { verb: 'migrate', past: 'Migrated', how: 'add --apply', unchanged: UNCHANGED };

/** Runs `coppice migrate --to`: makes new sessions of another agent from the selected ones. */
export async function runConversion(
  request: MigrateRequest<ConversionTask>,
  context: Context,
): Promise<ExitCode> {
  const { select, change } = request;
  const convert = createJob(request, context);
  const { sessions, problems, explicit } = await findSessions(select, context, { usage: false });
  const { jobs } = select;
  const run = {
    label: 'Migrating',
    jobs,
    context,
    toStopped: change.apply ? toStoppedResult : undefined,
  };
  const outcomes = await runSessions(sessions, convert, run);
  const toFile = ({ path }: SessionSummary) => ({ path, explicit: explicit.has(path) });
  const { values: results, problems: failed } = splitBySession(outcomes, toFile);
  const report = {
    applied: change.apply,
    results,
    problems: [...problems, ...failed],
    words: WORDS,
    explicit,
    keepsSources: true,
  };
  return reportMigration(report, request, context);
}

function toStoppedResult(summary: SessionSummary): MigrationResult {
  return toUnchangedResult(summary, { action: 'skip', reasons: [STOPPED] });
}

function createJob(
  { change: { apply, grace }, check, task: { to, store } }: MigrateRequest<ConversionTask>,
  context: Context,
): (summary: SessionSummary) => Promise<MigrationResult> {
  const world = { ...context, readSettings };
  const dialect = getDialect(to);
  const made = new Map<string, string>();
  // Copies of a session have one new path.
  const enqueue = createKeyedQueue();
  return (summary) =>
    enqueue(`${summary.agent}:${summary.id}`, async () => {
      const use = check
        ? undefined
        : findUseReason(summary, { grace, now: context.now(), world: context });
      if (use !== undefined && summary.agent !== to)
        return toUnchangedResult(summary, { action: 'skip', reasons: [use] });
      return convertSession(summary.path, {
        to: dialect,
        cwd: summary.cwd,
        name: summary.name,
        fallbackCwd: context.cwd,
        findPath: async (identity) => {
          const path = await dialect.places.findNewPath?.(identity, store, world);
          if (path === undefined)
            throw new Error(`the place of the sessions of ${to} is not known`);
          if (store !== undefined) await refuseLink(store, dirname(path));
          return path;
        },
        openImages: previewImageFiles,
        made,
        apply,
        signal: context.signal,
      });
    });
}
