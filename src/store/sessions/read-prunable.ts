import { FileError } from '../../errors.ts';
import { dialects, getDialect } from '../../session/agents/index.ts';
import { describeNoSidecars } from '../../session/dialect/surroundings/sidecars.ts';
import { LINKED } from '../../session/model/action.ts';
import { orFileError, orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import {
  type FileState,
  type FileStates,
  readFileState,
  toFileState,
} from '../files/file-state.ts';
import { getRealPath, orPath } from '../files/stat-file.ts';
import { type FoundFile, isGoneSince } from '../select/found-file.ts';
import { describeAlias } from './find-use.ts';
import type { CompleteSummary } from './surroundings.ts';
import { lookUnlessLink, type StampedFile } from './file-tree.ts';
import { findTwinObstacle } from './compressed-twin.ts';
import {
  findLoneFile,
  findSidecarObstacle,
  keepStamps,
  readSessionFiles,
  type SessionFiles,
} from './session-files.ts';
import type { Survey } from './sidecars/survey.ts';

/** A file that may go, or the reason why it must not. */
export interface Prunable {
  readonly file: FoundFile;
  /** The summary of a session that could be read; its first message is shortened. */
  readonly summary?: SessionSummary | undefined;
  /** The files before the session was read. */
  readonly files?: SessionFiles | undefined;
  /** The reason why it is never removed. */
  readonly obstacle?: string | undefined;
  /** It could not be read at all. */
  readonly error?: FileError | undefined;
  /** The error that is the obstacle, where it is not of the file itself. */
  readonly failure?: FileError | undefined;
  /** It has no line that could be read, though an agent has named it as one of its sessions. */
  readonly isBroken?: boolean | undefined;
}

const MAX_TITLE = 200;

/** The caches that many sessions share. */
export interface Shared {
  readonly survey: Survey;
  readonly complete: CompleteSummary;
}

/** Reads files by path, with their states where these are known; an error for each that could not be read. */
export type ReadAll = (
  paths: readonly string[],
  states?: FileStates,
) => Promise<ReadonlyMap<string, SessionSummary | NoSession | FileError>>;

/**
 * Looks at files, reads them, and looks at what is beside them. Without those that are of no agent, and
 * those that another run has removed since they were found. `states` gets the state of each before it was read.
 */
export async function readPrunables(
  files: readonly FoundFile[],
  shared: Shared,
  readAll: ReadAll,
  states = new Map<string, FileState | undefined>(),
): Promise<readonly Prunable[]> {
  const before = files.map((file) => stampPlain(file, states));
  const there = files.filter((_, index) => !(before[index] instanceof FileError));
  const read = await readAll(
    there.map(({ path }) => path),
    states,
  );
  const prunables: Prunable[] = [];
  for (const [index, file] of files.entries()) {
    const one = await toFoundPrunable(file, before[index], read.get(file.path), shared);
    if (!(one instanceof FileError)) {
      if (one) prunables.push(one);
    } else if (!isGoneSince(file, one)) prunables.push(toUnreadable({ file }, one));
  }
  return prunables;
}

/** Stamps a file before it is read: any later state is a change. Undefined behind a link. */
function stampPlain(
  { path, linked }: FoundFile,
  states: Map<string, FileState | undefined>,
): StampedFile | FileError | undefined {
  if (linked) {
    states.set(path, readFileState(path));
    return undefined;
  }
  const look = orFileErrorSync(() => lookUnlessLink(path));
  const isLooked = !(look instanceof FileError);
  states.set(path, isLooked ? toFileState(look.stats) : undefined);
  return isLooked ? look.stamp : look;
}

/** Undefined for a file of no agent; an error for one that could not be looked at or read. */
function toFoundPrunable(
  file: FoundFile,
  before: StampedFile | FileError | undefined,
  read: SessionSummary | NoSession | FileError | undefined,
  shared: Shared,
): FileError | undefined | Promise<Prunable | FileError | undefined> {
  if (before instanceof FileError) return before;
  if (!read || read instanceof FileError) return read;
  return orFileError(() => lookBeside(file, before, read, shared));
}

async function lookBeside(
  file: FoundFile,
  before: StampedFile | undefined,
  read: SessionSummary | NoSession,
  shared: Shared,
): Promise<Prunable | undefined> {
  // A file without one readable line counts only under a name that agents give to sessions.
  if ('kind' in read && read.kind === 'foreign') {
    if (!isNamedAsSession(file.path)) return undefined;
    return { file, isBroken: true, obstacle: 'none of its lines could be read' };
  }
  const files = before && (await readFiles(read, before, shared.survey));
  return toPrunable({ file, files }, read, shared);
}

/** Returns whether a file has a name that no other program gives. */
function isNamedAsSession(path: string): boolean {
  return dialects.some(({ rows }) => (rows?.listIds([path]).length ?? 0) > 0);
}

/** Undefined for a session whose sidecars are not known. */
function readFiles(
  read: SessionSummary | NoSession,
  before: StampedFile,
  survey: Survey,
): SessionFiles | undefined | Promise<SessionFiles> {
  const dialect = 'kind' in read ? undefined : getDialect(read.agent).sidecars;
  if ('kind' in read || !dialect) return undefined;
  return (
    findLoneFile(read.path, dialect, survey, before) ??
    readSessionFiles(read.path, dialect, survey, { before })
  );
}

/**
 * The files of a session that has several, as they were before each was read; undefined if its
 * sidecars are not known. The first of `parts` is the session's own.
 */
export async function readUnitFiles(
  { agent, path }: Pick<SessionSummary, 'agent' | 'path'>,
  parts: readonly Pick<Prunable, 'file' | 'files'>[],
  survey: Survey,
): Promise<SessionFiles | undefined> {
  const { sidecars } = getDialect(agent);
  if (!sidecars) return undefined;
  const others = parts.slice(1).map(({ file }) => file.path);
  const found = await readSessionFiles(path, sidecars, survey, { parts: others });
  return keepStamps(
    found,
    parts.flatMap(({ files }) => files?.files ?? []),
  );
}

/** A file and what was read of it. */
export async function toPrunable(
  { file, files }: Pick<Prunable, 'file' | 'files'>,
  read: SessionSummary | NoSession,
  { survey, complete }: Shared,
): Promise<Prunable> {
  if ('kind' in read) return { file, obstacle: `${read.problem.message}: never removed` };
  const summary = withShortMessage(await complete(read));
  const obstacle = findObstacle(read, files) ?? findAliasObstacle(file, read.agent, survey);
  const hasMore = files !== undefined && files.files.length > 1;
  const twin = hasMore && obstacle === undefined ? await findTwinObstacle(files) : undefined;
  // Named one by one: for each object that gets members by a spread, V8 makes a class.
  return { file, summary, files, obstacle: obstacle ?? twin?.obstacle, failure: twin?.failure };
}

/** The facts about a session with other files beside it than those that were looked up. */
export function withFiles(
  { summary, obstacle }: Pick<Prunable, 'summary' | 'obstacle'>,
  files: SessionFiles,
): Pick<Prunable, 'files' | 'obstacle'> {
  return { files, obstacle: obstacle ?? (summary && findObstacle(summary, files)) };
}

/**
 * Names the link by which the agent knows the session, where not all of it is around the path that was named: its notes,
 * such as that it is open, or other directories that share its sidecars.
 */
function findAliasObstacle(
  { path, alias }: FoundFile,
  agent: Agent,
  survey: Survey,
): string | undefined {
  const { sidecars } = getDialect(agent);
  if (alias === undefined || !sidecars) return undefined;
  const [root = '', own = ''] = [path, alias].map((one) => sidecars.findRoot(one));
  const isOne = survey.findRoot(root).realPath === survey.findRoot(own).realPath;
  const [heldIn] = sidecars.listShared?.(alias).map(({ sharedBy }) => sharedBy) ?? [];
  const isWhole = !heldIn || !sharesMore(own, root, (at) => survey.listStores(at, heldIn));
  return isOne && isWhole ? undefined : describeAlias(alias);
}

/** Returns whether stores share sidecars with a directory by one path to it that do not by another. */
function sharesMore(
  own: string,
  other: string,
  list: (root: string) => readonly string[],
): boolean {
  const known = new Set(list(other).map((store) => orPath(getRealPath, store)));
  return list(own).some((store) => !known.has(orPath(getRealPath, store)));
}

export function toUnreadable({ file }: Pick<Prunable, 'file'>, error: FileError): Prunable {
  return { file, obstacle: `${error.message}: never removed`, error };
}

function findObstacle(
  { agent, problem, unread, id }: SessionSummary,
  files: SessionFiles | undefined,
): string | undefined {
  const { sidecars } = getDialect(agent);
  if (!sidecars) return describeNoSidecars({ agent });
  if (!files) return LINKED;
  const obstacle = findSidecarObstacle(files, id, sidecars);
  if (obstacle !== undefined) return obstacle;
  // Damage has its own reason, and an option that lifts it; a file without a header has no session.
  if (problem && unread.lines > 0 && problem.code.startsWith('line-')) return undefined;
  return problem && `${problem.message}: never removed`;
}

/** Returns a summary that keeps no more of the first message than a title needs. */
export function withShortMessage(summary: SessionSummary): SessionSummary {
  const firstMessage = shorten(summary.firstMessage);
  if (summary.firstMessage === firstMessage) return summary;
  // A copy that gets no other members: see `docs/performance.md`, Spreads.
  return Object.assign({ ...summary }, { firstMessage });
}

/** A copy of the beginning: a piece of a long string would keep all of it in memory. */
export function shorten(text: string): string {
  return Buffer.from(text.slice(0, MAX_TITLE)).toString('utf8');
}
