import type { JsonReport } from '../../report/text/json.ts';
import { ExitCode, FileError, UsageError } from '../../errors.ts';
import { type ForkResult, formatForkFooter, toForkResult } from '../../report/fork/fork-result.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import { sumActions, LINKED_TO_FORK, stoppedError } from '../../session/model/action.ts';
import { type Fork, forkSession } from '../../session/fork/fork-session.ts';
import { describeMissingLines } from '../../session/read/unread-lines.ts';
import type { ForkStart } from '../../session/dialect/forking.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import { NOTHING_LEFT } from '../../session/fork/left-behind.ts';
import { createForkRows } from '../../store/database/fork-rows.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { createForkClearer } from '../../store/output/clear-fork-directory.ts';
import type { Context } from '../command.ts';
import type { ForkDocument } from '../shared/output/documents.ts';
import type { ForkCommandRequest, NewSessions } from './request.ts';
import { reportForkProblems, splitForks } from './outcomes.ts';
import {
  reportIfUnwritten,
  reportProblems,
  writeMachineReport,
  writePaths,
} from '../shared/output/output.ts';
import { runSessions } from '../shared/run-sessions.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { findFilesToFork } from './find-files-to-fork.ts';

/** Runs `coppice fork` without --in-place: makes new sessions. */
export async function forkSessions(
  request: ForkCommandRequest<NewSessions>,
  hooks: Hooks,
  context: Context,
): Promise<ExitCode> {
  const { select, output } = request;
  const { fork: asked, dryRun } = request.task;
  const { jobs } = select;
  const { files, problems: unreadable } = await findFilesToFork(select, context);
  if (asked.id !== undefined && files.length > 1) {
    throw new UsageError('--id: needs a single session; select one, or leave --id out');
  }
  const job = createJob(request, hooks, context);
  const run = { label: 'Forking', jobs, context, toStopped: dryRun ? undefined : throwStopped };
  const outcomes = await runSessions(files, job, run);
  const split = splitForks(outcomes, unreadable);
  const { values, problems, skipped } = split;
  const forks = values.flatMap((made) =>
    made.map((one, index) => toForkResult(one, describe(asked.start, index, made.length))),
  );
  const summary = sumActions(forks, !dryRun);
  const report: JsonReport<ForkDocument> = {
    command: 'fork',
    results: [...forks, ...problems, ...skipped],
    summary,
  };
  const isWritten = await writeMachineReport(report, output, context);
  if (!isWritten && !select.quiet) await reportUnread(values, context);
  const unwritten = isWritten ? [] : await writeForks(forks, request, context);
  const exitCode = await reportForkProblems(split, context);
  await reportIfUnwritten(dryRun ? [] : forks, context);
  return (await reportProblems(unwritten, context)) || exitCode;
}

function throwStopped({ path }: FoundFile): never {
  throw stoppedError(path);
}

function createJob(
  { summarize, task: { fork: request, dryRun } }: ForkCommandRequest<NewSessions>,
  hooks: Hooks,
  context: Context,
): (file: FoundFile) => Promise<readonly Fork[]> {
  const toClear = createForkClearer(context.now());
  const rows = createForkRows(context.env);
  const options = { world: context, dryRun, signal: context.signal, summarize, ...hooks };
  return async ({ path, linked }) => {
    const isChosen = request.directory !== undefined;
    if (linked && !isChosen) throw new FileError(path, 'ELINK', LINKED_TO_FORK);
    const clear = toClear({ source: path, isChosen });
    return forkSession(path, request, { ...options, ...rows, clear });
  };
}

function describe(start: ForkStart, index: number, count: number): string {
  switch (start.kind) {
    case 'leaf':
      return 'at the current leaf';
    case 'at':
      return `at ${start.entry}`;
    case 'before':
      return `before ${start.entry}`;
    case 'whole':
      return 'all branches';
    case 'each-leaf':
      return `branch ${index + 1} of ${count}`;
  }
}

/** Reports the lines that are in no fork, once for each source. */
async function reportUnread(
  values: readonly (readonly Fork[])[],
  { terminal, home }: Context,
): Promise<void> {
  for (const [first] of values) {
    if (!first) continue;
    for (const text of describeMissingLines(first.unreadLines)) {
      await terminal.err.write(`coppice: ${formatPath(first.source, home)}: ${text}\n`);
    }
  }
}

async function writeForks(
  forks: readonly ForkResult[],
  { select, task }: ForkCommandRequest<NewSessions>,
  context: Context,
): Promise<readonly FileProblem[]> {
  const paths = forks.map(({ path }) => path);
  const unwritten = await writePaths(paths, select, context);
  if (select.quiet) return unwritten;
  for (const { text, left } of forks) {
    if (left?.summary === null) {
      await context.terminal.err.write(`No summary: ${NOTHING_LEFT}\n`);
    }
    if (text !== undefined) await context.terminal.err.write(`Text: ${toPlainLine(text)}\n`);
  }
  if (forks.length > 0) await context.terminal.err.write(formatForkFooter(forks, task.dryRun));
  return unwritten;
}
