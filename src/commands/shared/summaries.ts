import type { Outcome } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import { FileError } from '../../errors.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import type { SummaryOptions } from '../../session/dialect/dialect.ts';
import type { NoSession } from '../../session/read/summarize-session.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { findCacheDirectory } from '../../store/settings/own-directories.ts';
import { getFileSize } from '../../store/read/stat-file.ts';
import { type FileState, ListIndex, readSettledState } from '../../store/find/list-index.ts';
import type { Context } from '../command.ts';
import { withProgress } from './run-sessions.ts';
import { task } from './summarize-task.ts';

export type SummaryOutcome = Outcome<string, SessionSummary | NoSession>;

export interface ReadOptions extends SummaryOptions {
  readonly jobs: number;
}

/** Reads files for a listing, with progress; outcomes are in the order of the paths. */
export async function readSummaries(
  paths: readonly string[],
  { jobs, ...options }: ReadOptions,
  context: Context,
): Promise<readonly SummaryOutcome[]> {
  const { signal, env } = context;
  return withProgress('Reading', paths.length, context, (onDone) =>
    runTask(task, options, paths, { jobs, signal, env, getSize: getFileSize, onDone }),
  );
}

/**
 * The same, reading only files that have changed since the last time. What every entry cost is not
 * remembered: it would be as much as the sessions of some stores.
 */
export async function readIndexed(
  paths: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<readonly SummaryOutcome[]> {
  const directory = findCacheDirectory(context);
  if (options.usage || directory === undefined) return readSummaries(paths, options, context);
  const index = new ListIndex(directory);
  const states = new Map<string, FileState>();
  const known = new Map<string, SummaryOutcome>();
  for (const path of paths) {
    const state = readSettledState(path, context.now());
    if (state === undefined) continue;
    states.set(path, state);
    const value = index.get(path, state);
    if (value) known.set(path, { ok: true, item: path, value });
  }
  const unknown = paths.filter((path) => !known.has(path));
  for (const outcome of await readSummaries(unknown, options, context)) {
    known.set(outcome.item, outcome);
    const state = states.get(outcome.item);
    if (outcome.ok && state !== undefined) index.set(outcome.item, state, outcome.value);
  }
  await save(index, context);
  return paths.flatMap((path) => known.get(path) ?? []);
}

async function save(index: ListIndex, { terminal, home }: Context): Promise<void> {
  try {
    await index.save();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const how = '--no-cache does without';
    const where = formatPath(error.path, home);
    await terminal.err.write(`coppice: ${where}: ${toPlainLine(error.message)}; ${how}\n`);
  }
}
