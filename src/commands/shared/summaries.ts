import type { Outcome } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import { FileError } from '../../errors.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { lacksKeys, sumOwnUsage } from '../../session/model/tree/condense-usage.ts';
import { getParentPath } from '../../session/model/tree/lineage.ts';
import { findCacheDirectory } from '../../store/settings/own-directories.ts';
import { getFileSize } from '../../store/files/stat-file.ts';
import { SummaryIndex } from '../../store/find/summary-index.ts';
import type { Context } from '../command.ts';
import { withProgress } from './run-sessions.ts';
import { type SummarizeOptions, task } from './summarize/summarize-task.ts';

type SummaryOutcome = Outcome<string, SessionSummary | NoSession>;

/** The facts read from each file, or the reason why it could not be read. */
export type ReadByPath = ReadonlyMap<string, SessionSummary | NoSession | FileError>;

export interface ReadOptions extends SummarizeOptions {
  readonly jobs: number;
}

/** Reads files for a listing, with progress. */
export async function readSummaries(
  paths: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<ReadByPath> {
  return byPath(await readUnknown(paths, options, undefined, context));
}

/** Reads files as `readSummaries` does, but only those that have changed since the last time. */
export async function readIndexed(
  paths: readonly string[],
  options: ReadOptions,
  context: Context,
): Promise<ReadByPath> {
  const directory = findCacheDirectory(context);
  // The cost of each entry is not cached: in some stores, it would take as much room as the sessions.
  if (directory === undefined || (options.usage && options.keeps !== 'totals')) {
    return readSummaries(paths, options, context);
  }
  const index = new SummaryIndex(directory, options);
  const outcomes = await readUnknown(paths, options, index, context);
  await save(index, context);
  return byPath(outcomes);
}

/** Makes the function that reads sessions for a listing as a run asks for it. */
export function createReader(
  { cache, jobs }: { readonly cache: boolean; readonly jobs: number },
  context: Context,
): (paths: readonly string[]) => Promise<ReadByPath> {
  const read = cache ? readIndexed : readSummaries;
  return (paths) => read(paths, { usage: false, jobs }, context);
}

/** Reads what the index does not know; for totals, also parents again of which it knows only sums. */
async function readUnknown(
  paths: readonly string[],
  options: ReadOptions,
  index: SummaryIndex | undefined,
  context: Context,
): Promise<readonly SummaryOutcome[]> {
  const known = new Map<string, SummaryOutcome>();
  for (const path of paths) {
    const value = index?.get(path, context.now());
    if (value) known.set(path, { ok: true, item: path, value });
  }
  const read = async (some: readonly string[], how: ReadOptions): Promise<void> => {
    for (const outcome of await readOnThreads(some, how, context)) {
      known.set(outcome.item, outcome);
      if (outcome.ok) index?.set(outcome.item, outcome.value);
    }
  };
  await read(
    paths.filter((path) => !known.has(path)),
    options,
  );
  if (options.keeps !== 'totals') return paths.flatMap((path) => known.get(path) ?? []);
  const parents = findParents([...known.values()]);
  const summed = [...known.values()].filter(
    (one) => one.ok && 'path' in one.value && parents.has(one.item) && lacksKeys(one.value),
  );
  await read(
    summed.map(({ item }) => item),
    { ...options, keeps: 'totals-of-parents' },
  );
  return paths.flatMap((path) => {
    const outcome = known.get(path);
    if (!outcome?.ok || !('path' in outcome.value)) return outcome ?? [];
    return { ...outcome, value: sumOwnUsage(outcome.value, parents.has(path)) };
  });
}

/** The paths that forks name as their parents. */
function findParents(outcomes: readonly SummaryOutcome[]): ReadonlySet<string> {
  return new Set(
    outcomes.flatMap((one) =>
      one.ok && 'path' in one.value ? (getParentPath(one.value) ?? []) : [],
    ),
  );
}

async function readOnThreads(
  paths: readonly string[],
  { jobs, ...options }: ReadOptions,
  context: Context,
): Promise<readonly SummaryOutcome[]> {
  const { signal, env } = context;
  if (paths.length === 0) return [];
  return withProgress('Reading', paths.length, context, (onDone) =>
    runTask(task, options, paths, { jobs, signal, env, getSize: getFileSize, onDone }),
  );
}

function byPath(outcomes: readonly SummaryOutcome[]): ReadByPath {
  return new Map(outcomes.map((one) => [one.item, one.ok ? one.value : one.error]));
}

async function save(index: SummaryIndex, { terminal, home }: Context): Promise<void> {
  try {
    await index.save();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const how = '--no-cache does without';
    const where = formatPath(error.path, home);
    await terminal.err.write(`coppice: ${where}: ${toPlainLine(error.message)}; ${how}\n`);
  }
}
