import { FileError, UsageError } from '../../../errors.ts';
import type { FileProblem, SessionSummary } from '../../../session/model/summary.ts';
import { toNoSessionError } from '../../../session/read/no-session.ts';
import { gatherSessions } from '../../../session/model/tree/gather.ts';
import { findUnits } from '../../../session/model/tree/units.ts';
import { findSuperseded } from '../../../session/model/tree/superseded.ts';
import {
  findProblems,
  type FoundFile,
  listExplicit,
  listLinked,
  toProblem,
} from '../../../store/select/found-file.ts';
import type { StoreOptions } from '../../../store/find/roots.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { select, selectsAll } from '../../../store/select/selection.ts';
import { createShardTest, isInShard } from '../../../store/select/shard.ts';
import {
  createSubagentReader,
  type SubagentOptions,
  withSubagents,
} from '../../../store/sessions/subagents.ts';
import { createGatherer, type GatherOptions } from '../../../store/sessions/gather-files.ts';
import { createCompleter } from '../../../store/sessions/surroundings.ts';
import type { Context } from '../../command.ts';
import type { SelectionRequest } from '../requests.ts';
import { SkippedNotes } from '../output/skipped-notes.ts';
import { createNaming } from '../stdin.ts';
import { type ReadByPath, readIndexed, readSummaries } from '../summaries.ts';
import type { SummariesOptions } from '../summaries-task.ts';
import { findAllFiles, type FoundFiles, keepAskedProblems, keepFilesOfShard } from './files.ts';

export interface FoundSessions {
  /** The sessions that fit the selection. */
  readonly sessions: readonly SessionSummary[];
  /** All sessions that were read: also those that do not fit, and those of other shards. */
  readonly everywhere: readonly SessionSummary[];
  /** Whether every file was read. */
  readonly isComplete: boolean;
  /** How many there were before. */
  readonly total: number;
  /** How many arrays are left out, of which `migrate` has made sessions that are among these. */
  readonly superseded: number;
  /** Paths that lead out of what was searched, through a symbolic link there. */
  readonly linked: ReadonlySet<string>;
  /** Paths that were asked for by name, and not found in a directory. */
  readonly explicit: ReadonlySet<string>;
  readonly problems: readonly FileProblem[];
}

export interface FindOptions extends SummariesOptions, StoreOptions {
  /** Reads, too, what other shards hold, from which forks in this one may have copied. */
  readonly lineage?: boolean;
  /** Reads the sub-agents of the selected sessions, too. */
  readonly subagents?: boolean;
  /** Sub-agents that have a file like other sessions are sessions of their own, too. */
  readonly keepsSubagents?: boolean;
  /** Is given the files before they are read, and returns those to read. */
  readonly prepare?: (found: FoundFiles) => Promise<FoundFiles>;
}

/** Finds, reads and selects sessions. Names a file that is not a session only if the user named it. */
export async function findSessions(
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<FoundSessions> {
  const all = await findPrepared(request, context, options);
  const summarized = await summarizeEnough(all, request, context, options);
  const { sessions, problems, ...rest } = toFound(summarized, request);
  const unread: FileProblem[] = [];
  const areListed = request.selection.source === 'subagent';
  const whole =
    options.subagents && !areListed
      ? await addSubagents(sessions, {
          usage: options.usage,
          signal: context.signal,
          onProblem: (error) => unread.push(toProblem(error)),
        })
      : sessions;
  const name = createNaming(request);
  return { ...rest, sessions: whole.map(name), problems: [...problems, ...unread].map(name) };
}

/** Adds to each session its sub-agents. */
async function addSubagents(
  sessions: readonly SessionSummary[],
  options: SubagentOptions,
): Promise<readonly SessionSummary[]> {
  const add = createSubagentReader(options);
  const whole: SessionSummary[] = [];
  for (const session of sessions) whole.push(await add(session));
  return whole;
}

/** Finds the files to read. */
async function findPrepared(
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<FoundFiles> {
  const all = await findAllFiles(request, context, options);
  return (await options.prepare?.(all)) ?? all;
}

/** Reads the files of a shard, and leaves out what could not be read in the stores of agents that were not asked for. */
async function summarizeEnough(
  all: FoundFiles,
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<SummarizedEnough> {
  const found = await summarizeShard(all, request, context, options);
  const problems = await keepAskedProblems(found.problems, request, context, options);
  return { ...found, problems, isComplete: found.problems.length === 0 };
}

/**
 * Reads the files of a shard. The other shards are read, too, where something there decides about these: which are the
 * last, and of agents of which a session may have several files, which of them are one.
 */
async function summarizeShard(
  all: FoundFiles,
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<Summarized> {
  const { shard, last } = request.selection;
  if (shard && last === undefined && options.lineage !== true) {
    const own = await summarizeFiles(keepFilesOfShard(all, request), request, context, options);
    if (own.current.every(({ relations }) => relations === undefined)) return own;
  }
  return summarizeFiles(all, request, context, options);
}

/** Only what is in the shard. */
function toFound(
  { selected, current, superseded, problems, isComplete, linked, explicit }: SummarizedEnough,
  { selection: { shard } }: SelectionRequest,
): FoundSessions {
  const isHere = createShardTest(shard);
  return {
    linked,
    explicit,
    sessions: shard ? selected.filter(isHere) : selected,
    everywhere: current,
    isComplete,
    problems: problems.filter(isHere),
    total: shard ? current.filter(isHere).length : current.length,
    superseded: [...superseded].filter((path) => isInShard(path, shard)).length,
  };
}

interface Summarized extends Pick<FoundSessions, 'linked' | 'explicit' | 'problems'> {
  /** The sessions of `current` that match the selection. */
  readonly selected: readonly SessionSummary[];
  readonly current: readonly SessionSummary[];
  /** The facts of each file. */
  readonly read: readonly SessionSummary[];
  /** Paths of arrays that are left out. */
  readonly superseded: ReadonlySet<string>;
}

type SummarizedEnough = Summarized & Pick<FoundSessions, 'isComplete'>;

async function summarizeFiles(
  { files, problems }: FoundFiles,
  { selection, jobs, cache }: SelectionRequest,
  context: Context,
  { usage, keepsSubagents = false, subagents }: FindOptions,
): Promise<Summarized> {
  const paths = files.map(({ path }) => path);
  const read = cache ? readIndexed : readSummaries;
  const explicit = listExplicit(files);
  const found = await read(paths, { usage, jobs }, context);
  const { summaries, unusable } = await takeSummaries(files, found, context);
  const { signal } = context;
  const areAsked = selection.source === 'subagent';
  const { current: gathered, superseded } = toSessions(summaries, explicit, {
    keepsSubagents: keepsSubagents || areAsked,
  });
  const unread = new Map<string, FileProblem>();
  const onProblem = (error: FileError): void => void unread.set(error.path, toProblem(error));
  const sessions = await completeElsewhere(gathered, explicit, onProblem, {
    complete: createCompleter({ env: context.env }),
    usage,
    subagents: subagents === true && !areAsked,
    known: summaries,
    signal,
  });
  const readsBelow = areAsked && subagents === true;
  const current = readsBelow
    ? await withSubagents(sessions, { usage, signal, onProblem })
    : sessions;
  return {
    selected: select(current, selection),
    current,
    read: summaries,
    superseded,
    linked: listLinked(files),
    explicit,
    problems: [...problems, ...unusable, ...unread.values()],
  };
}

/** Splits files into summaries and problems. */
async function takeSummaries(
  files: readonly FoundFile[],
  read: ReadByPath,
  context: Context,
): Promise<{
  readonly summaries: readonly SessionSummary[];
  readonly unusable: readonly FileProblem[];
}> {
  const skipped = new SkippedNotes();
  const complete = createCompleter({ onProblem: skipped.add, env: context.env });
  const summaries: SessionSummary[] = [];
  const unusable: FileProblem[] = [];
  for (const file of files) {
    const found = read.get(file.path);
    if (!found) continue;
    if ('path' in found && !(found instanceof FileError)) {
      const whole = complete(found);
      summaries.push(whole instanceof Promise ? await whole : whole);
    } else {
      const error = found instanceof FileError ? found : toNoSessionError(file.path, found.kind);
      unusable.push(...findProblems(file, error));
    }
  }
  await skipped.report(context);
  return { summaries, unusable };
}

/** Sessions of all the files of a run, and the files that a newer one of the same session replaces. */
function toSessions(
  summaries: readonly SessionSummary[],
  explicit: ReadonlySet<string>,
  which: { readonly keepsSubagents: boolean },
): Pick<Summarized, 'current' | 'superseded'> {
  const superseded = findSuperseded(summaries);
  for (const path of explicit) superseded.delete(path);
  const files =
    superseded.size > 0 ? summaries.filter(({ path }) => !superseded.has(path)) : summaries;
  return { current: gatherSessions(files, { ...which, explicit }), superseded };
}

/**
 * Completes sessions with what their other files say, where not all of these were searched: of sessions that were named,
 * and of those that continue from a file elsewhere. One whose other files cannot be searched for is as it was.
 */
async function completeElsewhere(
  sessions: readonly SessionSummary[],
  explicit: ReadonlySet<string>,
  onProblem: (error: FileError) => void,
  options: GatherOptions & { readonly known: readonly SessionSummary[] },
): Promise<readonly SessionSummary[]> {
  const files = options.known.filter(({ relations }) => relations);
  if (files.length === 0) return sessions;
  const known = new Set(files.flatMap(({ relations }) => relations?.fileId ?? []));
  const own = new Map(files.map((one) => [one.path, one]));
  const gatherFiles = createGatherer(options);
  const whole: SessionSummary[] = [];
  for (const session of sessions) {
    const { path, subagents } = session;
    const file = own.get(path);
    const base = file?.relations?.base;
    const isElsewhere = base !== undefined && !known.has(base.id);
    const isAsked = file && (explicit.has(path) || isElsewhere);
    const gathered = isAsked ? await orFileError(() => gatherFiles(file)) : session;
    const isRead = !(gathered instanceof FileError);
    if (!isRead) onProblem(gathered);
    whole.push(isRead ? { ...(subagents && { subagents }), ...gathered } : session);
  }
  return whole;
}

/** The error where a command needs a session, and nothing matches. */
export function noMatchError(command: string): UsageError {
  return new UsageError(
    `${command}: no session matches; change the selection, or see coppice list`,
  );
}

export interface ChosenOptions extends StoreOptions {
  /**
   * Finds the files that a listing shows, or every file of these sessions: earlier ones, and those of sub-agents. Unless
   * given, every file where every session is selected, and otherwise those that a listing shows.
   */
  readonly which?: 'listed' | 'every';
}

/** Files of the selected sessions, and every file that was found beside them. */
export interface ChosenFiles extends FoundFiles {
  readonly all: FoundFiles;
}

/** Finds the files of the selected sessions; reads none where every file is found, or was named. */
export async function findChosenFiles(
  request: SelectionRequest,
  context: Context,
  options: ChosenOptions = {},
): Promise<ChosenFiles> {
  const all = await findAllFiles(request, context, options);
  const isNamed = all.files.every(({ explicit }) => explicit);
  if (selectsAll(request.selection) && (options.which !== 'listed' || isNamed))
    return { ...keepFilesOfShard(all, request), all };
  const found = await summarizeEnough(all, request, context, { usage: false });
  const chosen = new Set(found.selected.map(({ path }) => path));
  if (options.which === 'every') for (const path of listOtherFiles(chosen, found)) chosen.add(path);
  return { ...keepChosen(all, chosen, found, request), all };
}

export interface ListedFiles extends FoundFiles, Pick<FoundSessions, 'sessions' | 'everywhere'> {
  /** Every file that was found, whatever the selection. */
  readonly all: readonly FoundFile[];
}

/** Finds the files that a listing shows of the selected sessions, with what it shows of them. */
export async function findListedFiles(
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<ListedFiles> {
  const all = await findPrepared(request, context, options);
  const found = await summarizeEnough(all, request, context, options);
  const chosen = new Set(found.selected.map(({ path }) => path));
  const { selected: sessions, current: everywhere } = found;
  return { ...keepChosen(all, chosen, found, request), sessions, everywhere, all: all.files };
}

function keepChosen(
  all: FoundFiles,
  chosen: ReadonlySet<string>,
  { problems }: Pick<FoundFiles, 'problems'>,
  request: SelectionRequest,
): FoundFiles {
  const files = all.files.filter(({ path }) => chosen.has(path));
  return keepFilesOfShard({ files, problems }, request);
}

/**
 * The other files of chosen sessions, with those of sub-agents, and those that they replace. A sub-agent that is chosen
 * without its session has its own files only.
 */
function listOtherFiles(
  chosen: ReadonlySet<string>,
  { read, superseded }: Summarized,
): readonly string[] {
  const units = read.some(({ relations }) => relations) ? findUnits(read) : [];
  const parts = units.flatMap(({ session, files }) => {
    const ids = new Set(files.flatMap(({ path, id }) => (chosen.has(path) ? id : [])));
    return ids.has(session.id) ? files : files.filter(({ id }) => ids.has(id));
  });
  const older = [...superseded].filter((path) => chosen.has(`${path}l`));
  return [...parts.map(({ path }) => path), ...older];
}
