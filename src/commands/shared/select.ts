import { resolve } from 'node:path';
import { FileError, UsageError, CoppiceError } from '../../errors.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { dialects } from '../../session/agents/index.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import { gatherSessions } from '../../session/model/tree/gather.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import {
  findProblems,
  type FoundFile,
  listExplicit,
  listLinked,
  toProblem,
} from '../../store/find/found-file.ts';
import { findStores, type StoreOptions, findStoresOfProject } from '../../store/find/roots.ts';
import { fits, select, selectsAll } from '../../store/select/selection.ts';
import { describeShard, isInShard } from '../../store/select/shard.ts';
import { formatPath } from '../../report/text/paths.ts';
import { createPathMatcher, toAbsoluteGlob } from '../../store/find/path-glob.ts';
import { readSettings } from '../../store/settings/settings.ts';
import { createSubagentReader, withSubagents } from '../../store/read/subagents.ts';
import { createCompleter } from '../../store/read/surroundings.ts';
import { type Narrowing, resolveTargets, searchStores } from '../../store/find/targets.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from './requests.ts';
import { createNaming } from './stdin.ts';
import { type ReadByPath, readIndexed, readSummaries } from './summaries.ts';
import type { SummarizeOptions } from './summarize/summarize-task.ts';
import { toPlainLine } from '../../report/text/escape.ts';

export type { FileProblem };

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly problems: readonly FileProblem[];
}

export interface FoundSessions {
  /** The sessions that fit the selection. */
  readonly sessions: readonly SessionSummary[];
  /** The same of all shards, where those were read. */
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

/** Finds the files of the targets, or else of all stores; only those in the chosen shard. */
export async function findFiles(
  request: SelectionRequest,
  context: Context,
  options: StoreOptions = {},
): Promise<FoundFiles> {
  return inShard(await findAllFiles(request, context, options), request);
}

function inShard(
  { files, problems }: FoundFiles,
  { selection: { shard } }: SelectionRequest,
): FoundFiles {
  const isOwn = ({ path }: { readonly path: string }): boolean => isInShard(path, shard);
  return { files: files.filter(isOwn), problems: problems.filter(isOwn) };
}

/** Finds the files of every shard. */
async function findAllFiles(
  request: SelectionRequest,
  context: Context,
  options: StoreOptions,
): Promise<FoundFiles> {
  await noteShard(request, context);
  const stores = async () => {
    if (!options.followsProject) await noteProjectStores(request, context);
    return findStores(request.stores, { ...context, readSettings }, options);
  };
  const targets = await expandTargets(request, context);
  const found =
    targets.length > 0
      ? await resolveTargets(targets, {
          cwd: context.cwd,
          findStores: stores,
          narrowing: createNarrowing(request, context),
        })
      : await searchStores(await stores());
  const files = await withoutIgnored(found.files, request, context);
  return { files, problems: found.problems.map(toProblem) };
}

/**
 * Makes the check by which `--agent` and `--project` narrow an id, since several sessions may have
 * one; undefined without these options.
 */
export function createNarrowing(
  { selection: { agent, project } }: SelectionRequest,
  { signal }: Pick<Context, 'signal'>,
): Narrowing | undefined {
  if (agent === undefined && project === undefined) return undefined;
  const complete = createCompleter();
  const options = [
    ...(agent === undefined ? [] : [`--agent ${agent}`]),
    ...(project === undefined ? [] : [`--project ${project}`]),
  ];
  return {
    options: options.join(' '),
    async fits(path) {
      const summary = await summarizeSession(path, { usage: false, signal });
      return 'path' in summary && fits(await complete(summary), { agent, project });
    },
  };
}

/** Says so of a file that was asked for by name. */
async function withoutIgnored(
  files: readonly FoundFile[],
  { ignored, quiet }: SelectionRequest,
  { cwd, home, terminal }: Context,
): Promise<readonly FoundFile[]> {
  if (ignored.length === 0) return files;
  const isIgnored = createPathMatcher(ignored.map((glob) => toAbsoluteGlob(glob, cwd, home)));
  for (const { path, explicit } of files) {
    if (!explicit || quiet || !isIgnored(path)) continue;
    await terminal.err.write(`coppice: ${formatPath(path, home)}: ignored, as --ignore has it\n`);
  }
  return files.filter(({ path }) => !isIgnored(path));
}

/** Finds the directories to search: the existing stores, and targets. */
export async function findRoots(
  request: SelectionRequest,
  context: Context,
): Promise<readonly string[]> {
  const targets = request.targets.filter((target) => target !== '-');
  const directories = targets.map((target) => resolve(context.cwd, target));
  return [...(await findStoresIfAny(request, context)), ...directories];
}

/** Finds every file of the stores, whatever the targets and the selection. */
export async function findStoreFiles(
  request: SelectionRequest,
  context: Context,
): Promise<FoundFiles> {
  const { files, problems } = await searchStores(await findStoresIfAny(request, context));
  return { files, problems: problems.map(toProblem) };
}

/** Without a store there may still be targets. */
async function findStoresIfAny(
  { stores, targets }: SelectionRequest,
  context: Context,
): Promise<readonly string[]> {
  try {
    return await findStores(stores, { ...context, readSettings });
  } catch (error) {
    if (error instanceof UsageError && targets.length > 0 && stores.length === 0) return [];
    throw error;
  }
}

export interface FindOptions extends SummarizeOptions, StoreOptions {
  /** Also read what other shards hold, from which forks in this one may have copied. */
  readonly lineage?: boolean;
  /** Also read the sub-agents of the selected sessions. */
  readonly subagents?: boolean;
  /** Sub-agents that have a file like other sessions are sessions of their own, too. */
  readonly keepsSubagents?: boolean;
}

/** Finds, reads and selects sessions. Names a file that is not a session only if the user named it. */
export async function findSessions(
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<FoundSessions> {
  const found = await findAllFiles(request, context, options);
  const { sessions, problems, ...rest } = await summarizeShard(found, request, context, options);
  const name = createNaming(request);
  const add =
    options.subagents && request.selection.source !== 'subagent'
      ? createSubagentReader({ usage: options.usage, signal: context.signal })
      : undefined;
  const whole: SessionSummary[] = [];
  for (const session of sessions) whole.push(add ? await add(session) : session);
  return { ...rest, sessions: whole.map(name), problems: problems.map(name) };
}

/**
 * The sessions of a shard, as a run without shards would show them. The other shards are read, too,
 * where something there decides about these: which are the last, and of agents of which a session may
 * have several files, which of them are one.
 */
async function summarizeShard(
  all: FoundFiles,
  request: SelectionRequest,
  context: Context,
  options: FindOptions,
): Promise<FoundSessions> {
  const { shard, last } = request.selection;
  if (shard && last === undefined && options.lineage !== true) {
    const own = await summarizeFiles(inShard(all, request), request, context, options);
    if (own.current.every(({ relations }) => relations === undefined)) return toFound(own, request);
  }
  return toFound(await summarizeFiles(all, request, context, options), request);
}

/** Only what is in the shard. */
function toFound(
  { selected, current, superseded, problems, ...rest }: Summarized,
  { selection: { shard } }: SelectionRequest,
): FoundSessions {
  const isOwn = ({ path }: { readonly path: string }): boolean => isInShard(path, shard);
  return {
    ...rest,
    sessions: selected.filter(isOwn),
    everywhere: selected,
    isComplete: problems.length === 0,
    problems: problems.filter(isOwn),
    total: current.filter(isOwn).length,
    superseded: [...superseded].filter((path) => isInShard(path, shard)).length,
  };
}

interface Summarized extends Pick<FoundSessions, 'linked' | 'explicit' | 'problems'> {
  /** Of `current`, those that fit the selection. */
  readonly selected: readonly SessionSummary[];
  readonly current: readonly SessionSummary[];
  /** Paths of arrays that are left out. */
  readonly superseded: ReadonlySet<string>;
}

async function summarizeFiles(
  { files, problems }: FoundFiles,
  { selection, jobs, cache }: SelectionRequest,
  context: Context,
  { usage, keeps, keepsSubagents = false, subagents }: FindOptions,
): Promise<Summarized> {
  const paths = files.map(({ path }) => path);
  const read = cache ? readIndexed : readSummaries;
  const explicit = listExplicit(files);
  const found = await read(paths, { usage, keeps, jobs }, context);
  const { summaries, unusable } = await takeSummaries(files, found, context);
  const { signal } = context;
  const areAsked = selection.source === 'subagent';
  const { current: sessions, superseded } = toSessions(summaries, explicit, {
    keepsSubagents: keepsSubagents || areAsked,
  });
  const readsBelow = areAsked && subagents === true;
  const current = readsBelow ? await withSubagents(sessions, { usage, signal }) : sessions;
  return {
    selected: select(current, selection),
    current,
    superseded,
    linked: listLinked(files),
    explicit,
    problems: [...problems, ...unusable],
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
  const skipped: string[] = [];
  const complete = createCompleter((path, reason) => {
    skipped.push(
      `coppice: ${formatPath(path, context.home)}: ${reason}; used what else there is\n`,
    );
  });
  const summaries: SessionSummary[] = [];
  const unusable: FileProblem[] = [];
  for (const file of files) {
    const found = read.get(file.path);
    if (!found) continue;
    if ('path' in found && !(found instanceof FileError)) summaries.push(await complete(found));
    else {
      const error = found instanceof FileError ? found : toNoSessionError(file.path, found.kind);
      unusable.push(...findProblems(file, error));
    }
  }
  for (const notice of skipped) await context.terminal.err.write(notice);
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
  const files = summaries.filter(({ path }) => !superseded.has(path));
  return { current: gatherSessions(files, { ...which, explicit }), superseded };
}

/** Finds the files of the selected sessions; reads none if only their place selects them. */
export async function findChosenFiles(
  request: SelectionRequest,
  context: Context,
  options: StoreOptions & { readonly latestOnly?: boolean } = {},
): Promise<FoundFiles> {
  const all = await findAllFiles(request, context, options);
  if (selectsAll(request.selection)) {
    return inShard(options.latestOnly ? withoutOlder(all) : all, request);
  }
  const { sessions, problems } = await summarizeShard(all, request, context, { usage: false });
  const chosen = new Set(sessions.map(({ path }) => path));
  return { files: all.files.filter(({ path }) => chosen.has(path)), problems };
}

/** Without files that hold an older part of a session, unless they were asked for by name. */
function withoutOlder(all: FoundFiles): FoundFiles {
  const paths = all.files.map(({ path }) => path);
  const older = new Set(dialects.flatMap(({ places }) => places.listOlder?.(paths) ?? []));
  return { ...all, files: all.files.filter(({ path, explicit }) => explicit || !older.has(path)) };
}

/** The reason why linked sessions are not changed. */
export const LINKED = 'reached through a symbolic link: name it to change it';

/**
 * Returns the targets, with those on standard input instead of `-`. Standard input can be read only
 * once.
 */
export async function expandTargets(
  { targets, isNul, takesInput }: SelectionRequest,
  context: Context,
): Promise<readonly string[]> {
  if (!targets.includes('-')) return targets;
  const input = await context.terminal.readInput(context.signal);
  if (/^\uFEFF?\s*(?:\{\s*"|\[\s*\{)/.test(input)) {
    const remedy = takesInput ? 'read it with --stdin' : 'save it to a file and name the file';
    throw new UsageError(`-: standard input holds a session, not a list of targets; ${remedy}`);
  }
  const lines = input.split(isNul ? '\0' : /\r?\n/).filter((line) => line !== '');
  const expanded = targets.flatMap((target) => (target === '-' ? lines : [target]));
  if (expanded.length === 0)
    throw new UsageError('-: standard input is empty; expected targets, one a line');
  return expanded;
}

/** Reports on stderr which part this run is, if the environment has stated it. */
export async function noteShard(
  { selection, quiet }: Pick<SelectionRequest, 'selection' | 'quiet'>,
  { terminal }: Pick<Context, 'terminal'>,
): Promise<void> {
  const found = describeShard(selection.shard);
  if (found !== undefined && !quiet) await terminal.err.write(`coppice: ${found}\n`);
}

/**
 * Names on stderr the store that the project in the working directory sets for its agent. A command
 * that changes or removes does not use that store unless the command line names it: a checkout of
 * somebody else must not choose what is removed.
 */
export async function noteProjectStores(
  { stores, quiet }: Pick<SelectionRequest, 'stores' | 'quiet'>,
  context: Context,
): Promise<void> {
  if (stores.length > 0 || quiet) return;
  const note = (text: string): Promise<void> => context.terminal.err.write(`coppice: ${text}\n`);
  try {
    for (const { path, settings } of await findStoresOfProject({ ...context, readSettings })) {
      const [from, named] = [settings, path].map((one) => formatPath(one, context.home));
      await note(`${from}: sessions in ${named} are left out; to work on them: --store ${named}`);
    }
  } catch (error) {
    // Settings that cannot be read name no store, and end no run that does not follow them.
    if (!(error instanceof CoppiceError)) throw error;
    await note(toPlainLine(error.message));
  }
}
