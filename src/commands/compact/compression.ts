import { type ExitCode, FileError, UsageError } from '../../errors.ts';
import { compressSession, findPackingObstacle } from '../../session/compact/compress-session.ts';
import { canPack } from '../../session/jsonl/zstd/packing.ts';
import { describeUse, NOT_HELD } from '../../session/model/in-use.ts';
import type { ReductionOutcome } from '../../session/reduce/reduce-session.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { changeSessions, type ChangeRun, requireAgent } from '../shared/guard.ts';
import { reportActions, showsUnchanged } from '../shared/output/report-actions.ts';
import { settleAsides } from '../shared/select/left-aside.ts';
import { findSessions } from '../shared/select/sessions.ts';
import type { CompressionRequest } from './request.ts';
import { createReductionColumns } from '../../report/compact/columns.ts';

const WORDS = {
  compress: {
    verb: 'compress',
    past: 'Compressed',
    unchanged: { one: 'is compressed already', many: 'are compressed already' },
  },
  decompress: {
    verb: 'unpack',
    past: 'Unpacked',
    unchanged: { one: 'is not compressed', many: 'are not compressed' },
  },
} as const;

/**
 * Runs `coppice compact --compress` or `--decompress`: the same text in files that take less or more
 * room.
 */
export async function compressFiles(
  request: CompressionRequest,
  context: Context,
): Promise<ExitCode> {
  const { select, change, action } = request;
  const { applies } = change;
  if (action === 'compress') requireZstd();
  const found = await findSessions(select, context, {
    usage: false,
    keepsSubagents: true,
    settle: (all) => settleAsides(all, request, context),
  });
  const { sessions, linked, explicit } = found;
  requireAgent(sessions, `--${action}`, findPackingObstacle);
  const paths = sessions.flatMap(({ path, files = [path] }) => files);
  const own = paths.filter((path) => !linked.has(path));
  const left = applies ? await cleanUpBeside(own, select.jobs, context) : [];
  const run: ChangeRun<ReductionOutcome> = {
    label: 'Compressing',
    jobs: select.jobs,
    grace: change.grace,
    linked,
    applies,
    change: createJob(request, context),
    toResult: (one) => ({ ...one, savings: [] }),
    explicit,
  };
  const results = await changeSessions(sessions, run, context);
  const report = {
    command: 'compact',
    applied: applies,
    results,
    problems: [...found.problems, ...left],
    columns: createReductionColumns(context.home),
    isShown: showsUnchanged(results, select),
    words: { ...WORDS[action], how: 'add --apply' },
  };
  return reportActions(report, request.output, context);
}

function requireZstd(): void {
  if (canPack()) return;
  const remedy = 'use Node 22.15 or later';
  throw new UsageError(`--compress: Node ${process.version} has no zstd; ${remedy}`);
}

function createJob(
  { change: { applies: apply, grace }, action }: CompressionRequest,
  { signal, now }: Context,
): ChangeRun<ReductionOutcome>['change'] {
  const findUse = (mtimeMs: number): string | undefined => {
    const time = new Date(mtimeMs).toISOString();
    return describeUse({ modified: time, fileModified: time }, grace, now(), NOT_HELD);
  };
  return (session) => {
    const obstacle = findPackingObstacle(session.agent);
    if (obstacle !== undefined) throw new FileError(session.path, 'not-supported', obstacle);
    return compressSession(session, { action, findUse, apply, signal });
  };
}
