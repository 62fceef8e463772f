import { resolve } from 'node:path';
import { createIdleSignal } from '../../session/jsonl/files/idle-signal.ts';
import { MIN_CUT_BYTES } from '../../session/model/text/cut-text.ts';
import type { SessionContext, SummaryOptions } from '../../session/dialect/dialect.ts';
import { findSuffixFault } from '../../session/migrate/backup-suffix.ts';
import { migrateSession as migrate } from '../../session/migrate/migrate-session.ts';
import type { MigrateOptions, MigrationResult, Relocation } from '../../session/migrate/types.ts';
import { createRowMover } from '../../store/database/move-rows.ts';
import { openRunSources } from '../../store/database/read-records.ts';
import { checkRowsOf, removeStaleRows } from '../../store/database/rows-of-session.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import { createNeighbourhood } from '../../store/sessions/neighbourhood.ts';
import { createSubagentReader } from '../../store/sessions/subagents.ts';
import { createGatherer } from '../../store/sessions/gather-files.ts';
import { createCompleter } from '../../store/sessions/surroundings.ts';
import type { FindUse } from '../../session/model/in-use.ts';
import { toDirectory } from '../../session/model/paths.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readContext as read, type ReadContextOptions } from '../../session/read/read-context.ts';
import { readSession as index, type ReadSession } from '../../session/read/read-session.ts';
import { summarizeSession as summarize } from '../../session/read/summaries/summarize-session.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import { ENTRY_REDUCERS, IMAGE_MODES } from '../../session/dialect/reduction.ts';
import {
  reduceSession as reduce,
  type ReduceOptions,
  type ReductionOutcome,
} from '../../session/reduce/reduce-session.ts';
import {
  validateSession as validate,
  type CheckOptions,
  type Validation,
} from '../../session/validate/validate-session.ts';
import { openImageFiles as openFiles, previewImageFiles } from '../../store/output/image-files.ts';
import type { ImageFiles } from '../../session/model/text/image-block.ts';
import { check, checkOptional, checkOptions, toPath, withoutUndefined } from '../arguments.ts';
import { getAgentWorld } from '../world.ts';
import { findRecentUse, guardUse } from './guard-use.ts';

// The functions of the commands, for callers that leave arguments out or get them wrong. Each throws
// a TypeError that names a wrong argument, and what is written where the function itself is.

/** The options of every function that reads a file. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longer lines are not parsed. */
  readonly maxLineBytes?: number | undefined;
}

const READ_KINDS = { signal: 'signal', maxLineBytes: 'count' } as const;

/**
 * Reads a session file once and keeps its index.
 * @throws FileError if it cannot be read or is not a session.
 */
export async function readSession(path: string, options: ReadOptions = {}): Promise<ReadSession> {
  const file = toPath('path', path);
  checkOptions(options, READ_KINDS);
  return index(file, options);
}

/**
 * Returns the context that the agent would send to the model when it opens the session. @throws
 * FileError if the file cannot be read, is not a session, or has no such entry.
 */
export async function readContext(
  path: string,
  options: ReadContextOptions = {},
): Promise<SessionContext> {
  const file = toPath('path', path);
  checkOptions(options, { leafId: 'text' });
  return read(file, options);
}

/**
 * Reads a session file once, and keeps the facts for a listing, with those that the agent keeps beside it and its
 * sub-agents; usage only if `usage` is true. Times are ISO 8601, sizes in bytes, costs in US dollars.
 * @throws FileError if it cannot be read.
 */
export async function summarizeSession(
  path: string,
  options: Partial<Pick<SummaryOptions, 'usage' | 'whole'>> & ReadOptions = {},
): Promise<SessionSummary | NoSession> {
  const file = toPath('path', path);
  checkOptions(options, { ...READ_KINDS, usage: 'flag', whole: 'flag' });
  const asked = { usage: false, signal: createIdleSignal(), ...withoutUndefined(options) };
  const summary = await summarize(file, asked);
  if ('kind' in summary) return summary;
  const complete = createCompleter(getAgentWorld());
  const { usage, signal } = asked;
  const gatherFiles = createGatherer({ complete, usage, subagents: true, signal });
  return createSubagentReader(asked)(await gatherFiles(await complete(summary)));
}

/**
 * Checks every line and relation of a session file, by default with the rules' own levels. Undefined
 * when the file is not a session.
 * @throws FileError if it cannot be read.
 */
export async function validateSession(
  path: string,
  options: Partial<Omit<CheckOptions, 'sources'>> & ReadOptions = {},
): Promise<Validation | undefined> {
  const file = toPath('path', path);
  checkOptions(options, {
    ...READ_KINDS,
    levels: 'map',
    allBranches: 'flag',
    mostOfRule: 'count',
  });
  const sources = openRunSources(process.env);
  return validate(file, { levels: new Map(), sources, ...withoutUndefined(options) });
}

/**
 * Brings a session of an old version to the current one, without losing a byte; a preview unless
 * `apply` is true. By default, a session that was used in the last ten minutes is skipped.
 * @throws FileError if it cannot be read.
 */
export async function migrateSession(
  path: string,
  options: Partial<Omit<MigrateOptions, 'hold' | 'moveRows' | 'sources' | 'relocation'>> & {
    readonly relocation?: Relocation | undefined;
  } = {},
): Promise<MigrationResult | NoSession> {
  const file = toPath('path', path);
  checkOptions(options, {
    apply: 'flag',
    findUse: 'function',
    relocation: 'object',
    out: 'path',
    backupSuffix: 'text',
    assumedCwd: 'path',
    signal: 'signal',
  });
  const { relocation, out, assumedCwd, ...given } = options;
  const fault = given.backupSuffix === undefined ? undefined : findSuffixFault(given.backupSuffix);
  if (fault !== undefined) throw new TypeError(`backupSuffix: ${fault}; got ${given.backupSuffix}`);
  return migrate(file, {
    apply: false,
    findUse: findRecentUse,
    ...withoutUndefined(given),
    out: out === undefined ? undefined : resolve(out),
    assumedCwd: assumedCwd === undefined ? undefined : toDirectory(assumedCwd, process.cwd()),
    hold: holdSession,
    moveRows: createRowMover(),
    sources: openRunSources(process.env),
    relocation: relocation && { ...relocation, around: createNeighbourhood(Date.now()) },
  });
}

const REDUCE_KINDS = {
  entries: 'texts',
  images: IMAGE_MODES,
  toolOutput: 'count',
  openImages: 'function',
  apply: 'flag',
  findUse: 'function',
  signal: 'signal',
} as const;

/**
 * Rewrites a session so that it takes less room; a preview unless `apply` is true. Without reducers,
 * nothing changes. By default, a session that was used in the last ten minutes is skipped.
 * @throws FileError if the file cannot be read or written.
 */
export async function reduceSession(
  path: string,
  options: Partial<
    Omit<ReduceOptions, 'removeRows' | 'checkRows' | 'sources' | 'relatives' | 'keepsUpTo'> & {
      readonly findUse: FindUse;
    }
  > = {},
): Promise<ReductionOutcome> {
  const file = toPath('path', path);
  checkOptions(options, REDUCE_KINDS);
  for (const name of options.entries ?? []) check('entries', ENTRY_REDUCERS, name);
  const { toolOutput = MIN_CUT_BYTES } = options;
  if (toolOutput < MIN_CUT_BYTES) {
    throw new TypeError(`toolOutput: expected at least ${MIN_CUT_BYTES} bytes; got ${toolOutput}`);
  }
  const { apply = false, findUse = findRecentUse, ...given } = options;
  const reducing = {
    entries: [],
    images: undefined,
    toolOutput: undefined,
    openImages: apply ? openFiles : previewImageFiles,
    signal: createIdleSignal(),
    ...withoutUndefined(given),
    apply,
    removeRows: removeStaleRows,
    checkRows: checkRowsOf,
    sources: openRunSources(process.env),
  };
  const work = () => reduce(file, reducing);
  return guardUse<ReductionOutcome>(file, {
    apply,
    findUse,
    work,
    toSkipped: (skipped) => ({ ...skipped, savings: [] }),
  });
}

/**
 * Opens the folder beside a session for its images, each once, for its owner only. `listOthers`: the directories,
 * beside that of the session, in which a folder of that name may be. @throws TypeError for a wrong argument.
 */
export function openImageFiles(
  sessionPath: string,
  listOthers?: (folder: string) => readonly string[],
): ImageFiles {
  check('sessionPath', 'path', sessionPath);
  checkOptional('listOthers', 'function', listOthers);
  return openFiles(sessionPath, listOthers);
}
