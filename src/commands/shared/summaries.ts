import type { Outcome } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import { FileError } from '../../errors.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { sumOwnUsage } from '../../session/model/tree/condense-usage.ts';
import { areSums } from '../../session/model/tree/pack-usages.ts';
import { findParents } from '../../session/model/tree/parents.ts';
import { findCacheDirectory } from '../../store/settings/own-directories.ts';
import type { FileStates } from '../../store/files/file-state.ts';
import { getFileSize } from '../../store/files/stat-file.ts';
import { type ReadAll, withShortMessage } from '../../store/sessions/read-prunable.ts';
import { SummaryIndex } from '../../store/find/summary-index.ts';
import type { Context } from '../command.ts';
import { withProgress } from './run-sessions.ts';
import { type SummariesOptions, task } from './summaries-task.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';

/** The facts read from a file, or the reason why it could not be read. */
type Found = SessionSummary | NoSession | FileError;

export type ReadByPath = ReadonlyMap<string, Found>;

export interface ReadOptions extends SummariesOptions {
  readonly jobs: number;
  /** Keeps only the beginning of each first message, as a title. */
  readonly shortens?: boolean;
  /** The states of files that have been looked up already. */
  readonly states?: FileStates | undefined;
}

/** Reads files for a listing, with progress. */
export async function readSummaries(
  paths: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<ReadByPath> {
  return readUnknown(paths, options, undefined, context);
}

/** Reads files as `readSummaries` does, but only those that have changed since the last time. */
export async function readIndexed(
  paths: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<ReadByPath> {
  const directory = findCacheDirectory(context);
  if (directory === undefined || paths.length === 0) return readSummaries(paths, options, context);
  const index = new SummaryIndex(directory, options, options.states);
  const found = await readUnknown(paths, options, index, context);
  await save(index, context);
  return found;
}

/** Makes the function that reads sessions for a listing as a run asks for it, each with a short first message. */
export function createReader(
  { cache, jobs }: { readonly cache: boolean; readonly jobs: number },
  context: Context,
): ReadAll {
  const read = cache ? readIndexed : readSummaries;
  return (paths, states) => read(paths, { usage: false, jobs, shortens: true, states }, context);
}

/** Reads what the index does not know; for totals, also parents again of which it knows only sums. */
async function readUnknown(
  paths: readonly string[],
  options: ReadOptions,
  index: SummaryIndex | undefined,
  context: Context,
): Promise<ReadByPath> {
  const known = new Map<string, Found>();
  const now = context.now();
  const toKept = (one: Found): Found =>
    options.shortens && isSummary(one) ? withShortMessage(one) : one;
  for (const path of paths) {
    const value = index?.get(path, now);
    if (value) known.set(path, toKept(value));
  }
  const getSize = (path: string): number => index?.getSize(path) ?? getFileSize(path);
  const read = async (some: readonly string[], how: ReadOptions): Promise<void> => {
    for (const one of await readOnThreads(some, { ...how, getSize }, context)) {
      known.set(one.item, one.ok ? toKept(one.value) : one.error);
      if (one.ok) index?.set(one.item, one.value);
    }
  };
  await read(
    paths.filter((path) => !known.has(path)),
    options,
  );
  if (!options.usage) return known;
  const parents = new Set(findParents([...known.values()].filter(isSummary)).values());
  const isSummed = (path: string): boolean => {
    const one = known.get(path);
    const packed = one !== undefined && isSummary(one) ? one.packedUsages : undefined;
    return packed !== undefined && areSums(packed);
  };
  await read([...parents].filter(isSummed), { ...options, areParents: true });
  for (const [path, one] of known) {
    if (isSummary(one)) known.set(path, sumOwnUsage(one, parents.has(path)));
  }
  return known;
}

function isSummary(one: Found): one is SessionSummary {
  return 'path' in one && !(one instanceof FileError);
}

async function readOnThreads(
  paths: readonly string[],
  {
    jobs,
    getSize,
    shortens: _shortens,
    states: _states,
    ...options
  }: ReadOptions & { readonly getSize: (path: string) => number },
  context: Context,
): Promise<readonly Outcome<string, SessionSummary | NoSession>[]> {
  const { signal, env } = context;
  if (paths.length === 0) return [];
  return withProgress('Reading', paths.length, context, (onDone) =>
    runTask(task, options, paths, { jobs, signal, env, getSize, onDone }),
  );
}

async function save(index: SummaryIndex, { terminal, home }: Context): Promise<void> {
  const failure = await orFileError(() => index.save());
  if (!(failure instanceof FileError)) return;
  const how = 'use --no-cache to list without it';
  const where = formatPath(failure.path, home);
  await terminal.err.write(`coppice: ${where}: ${toPlainLine(failure.message)}; ${how}\n`);
}
