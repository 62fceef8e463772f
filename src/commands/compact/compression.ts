import { dirname } from 'node:path';
import { type ExitCode, FileError, UsageError } from '../../errors.ts';
import { compressSession, findPackingObstacle } from '../../session/compact/compress-session.ts';
import { canPack } from '../../session/jsonl/zstd/packing.ts';
import { findUse, NOT_HELD } from '../../session/model/in-use.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import type { ReductionOutcome } from '../../session/reduce/reduce-session.ts';
import type { Context } from '../command.ts';
import { runChanges } from '../shared/change-sessions.ts';
import { restoreNames } from '../shared/select/left-aside.ts';
import type { CompressionRequest } from './request.ts';
import { createReductionColumns } from '../../report/compact/columns.ts';

const WORDS = {
  compress: {
    verb: 'compress',
    past: 'Compressed',
    unchanged: { one: 'is compressed already', many: 'are compressed already' },
  },
  decompress: {
    verb: 'decompress',
    past: 'Decompressed',
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
  const { action } = request;
  if (action === 'compress') requireZstd();
  const { exitCode } = await runChanges(
    request,
    {
      command: 'compact',
      words: { ...WORDS[action], how: 'add --apply' },
      columns: createReductionColumns(context.home),
      label: 'Compressing',
      asked: `--${action}`,
      findObstacle: findPackingObstacle,
      find: { keepsSubagents: true, prepare: (all) => restoreNames(all, request, context) },
      listDirectories: (sessions) =>
        sessions.flatMap(({ path, files = [path] }) => files.map((one) => dirname(one))),
      start: () => createJob(request, context),
      toResult: (skipped) => ({ ...skipped, savings: [] }),
    },
    context,
  );
  return exitCode;
}

function requireZstd(): void {
  if (canPack()) return;
  const remedy = 'use Node 22.15 or later';
  throw new UsageError(`--compress: Node ${process.version} has no zstd; ${remedy}`);
}

function createJob(
  { change: { apply, grace }, action }: CompressionRequest,
  { signal, now }: Context,
): (session: SessionSummary) => Promise<ReductionOutcome> {
  const findReason = (mtimeMs: number): string | undefined =>
    findUse(mtimeMs, NOT_HELD, { grace, now: now() });
  return (session) => {
    const obstacle = findPackingObstacle(session.agent);
    if (obstacle !== undefined) throw new FileError(session.path, 'not-supported', obstacle);
    return compressSession(session, { action, findUse: findReason, apply, signal });
  };
}
