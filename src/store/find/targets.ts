import { readdir, stat } from 'node:fs/promises';
import { basename, resolve, sep } from 'node:path';
import { isSessionName } from '../../session/model/session-names.ts';
import { type FileError, UsageError } from '../../errors.ts';
import { isMissing, throwIfBug, toFileError } from '../../session/jsonl/files/file-error.ts';
import { dialects } from '../../session/agents/index.ts';
import { withCompression } from '../../session/jsonl/zstd/is-compressed.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import {
  describeCandidate,
  findById,
  type IdNames,
  listCandidates,
  requireOne,
} from '../../session/model/ids/match-id.ts';
import { getFileKey, orPath } from '../files/stat-file.ts';
import { discover, type Discovery } from './discover.ts';
import type { FoundFile } from '../select/found-file.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import {
  readOpening,
  readSessionId,
  type SessionIdentity,
} from '../../session/read/read-opening.ts';

export interface TargetOptions {
  readonly cwd: string;
  /** Finds the stores in which ids are looked up; called only if a target is an id. */
  readonly findStores: () => Promise<readonly string[]>;
  /** Options that say which sessions of an id are meant. */
  readonly narrowing?: Narrowing | undefined;
}

export interface Narrowing {
  /** The options that the user wrote. */
  readonly options: string;
  readonly fits: (path: string) => Promise<boolean>;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Returns whether a session can be found by it; then it also means nothing to any shell. */
export function isFindableId(text: string): boolean {
  return ID.test(text);
}

/**
 * Finds the files that targets stand for: a file, a directory, a glob, a session id or a unique
 * prefix of one. Each file once, whatever paths lead there, in the order of the targets; by its own name, if it has
 * been named, too.
 * @throws UsageError for what is not there, an unknown or ambiguous id, or a prefix too short.
 */
export async function resolveTargets(
  targets: readonly string[],
  options: TargetOptions,
): Promise<Discovery> {
  const files = new Map<string, FoundFile>();
  const problems: FileError[] = [];
  for (const target of targets) {
    const found = await resolveTarget(target, options);
    problems.push(...found.problems);
    for (const file of found.files) {
      const key = targets.length === 1 ? file.path : orPath(getFileKey, file.path);
      const known = files.get(key);
      if (!known || (file.explicit && !known.explicit)) files.set(key, file);
    }
  }
  return { files: [...files.values()], problems };
}

/** Every file of every store, once. */
export function searchStores(stores: readonly string[]): Promise<Discovery> {
  return discover(...stores);
}

async function resolveTarget(target: string, options: TargetOptions): Promise<Discovery> {
  const path = resolve(options.cwd, target);
  const kind = await getKind(path);
  if (kind === 'file') return toDiscovery([path]);
  if (kind === 'directory')
    return requireFiles(await discover(path), target, await hintAtHidden(path));
  // Codex lists a thread by the name that its file had before it was compressed.
  const packed = withCompression(path);
  if (isSessionName(packed) && (await getKind(packed)) === 'file') return toDiscovery([packed]);
  // Large, and few targets get here.
  const { default: fastGlob } = await import('fast-glob');
  const glob = toGlob(target);
  if (fastGlob.isDynamicPattern(glob)) {
    const matches = await fastGlob(glob, { cwd: options.cwd, absolute: true, onlyFiles: true });
    // The paths are written as all others: it answers with slashes on every system.
    const paths = matches.map((match) => resolve(match)).toSorted();
    return requireFiles(toDiscovery(paths), target);
  }
  if (!isFindableId(target) || isSessionName(target)) {
    // A blank at the end would not be seen.
    const shown = target === target.trim() ? target : `'${target}'`;
    throw new UsageError(`${shown}: no such file or directory`);
  }
  return toDiscovery([
    await findSessionById(target, await searchStores(await options.findStores()), options),
  ]);
}

/** Makes a pattern of a target: on Windows, backslashes separate names, and escape nothing. */
function toGlob(target: string): string {
  return sep === '/' ? target : target.replaceAll(sep, '/');
}

function toDiscovery(paths: readonly string[]): Discovery {
  return { files: paths.map((path) => ({ path, explicit: true, linked: false })), problems: [] };
}

/** @throws UsageError for a target without files. */
function requireFiles(found: Discovery, target: string, hint = ''): Discovery {
  if (found.files.length > 0 || found.problems.length > 0) return found;
  throw new UsageError(`${target}: matches no session files${hint}`);
}

/** The hint for a directory that has others whose names begin with a dot, as a home has. */
async function hintAtHidden(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const isHidden = entries.some((entry) => entry.isDirectory() && entry.name.startsWith('.'));
  return isHidden ? '; names that begin with a dot are left out: name such a directory itself' : '';
}

async function getKind(path: string): Promise<'file' | 'directory' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    // Anything else is reported when the file is read.
    return isMissing(problem) || problem.code === 'ENAMETOOLONG' ? undefined : 'file';
  }
}

interface KnownSession extends SessionIdentity {
  readonly path: string;
}

/** Reads which sessions files hold: each once, without older files of it. What cannot be read has no id to be found by. */
export async function readKnown(paths: Iterable<string>): Promise<readonly KnownSession[]> {
  const known: KnownSession[] = [];
  for (const path of paths) {
    const own = await readIdIfAny(path);
    if (own) known.push({ path, ...own });
  }
  const superseded = findSuperseded(known);
  const all = known.map(({ path }) => path);
  // The latest file of a session stands for all of its files.
  const older = new Set(dialects.flatMap(({ places }) => places.listOlder?.(all) ?? []));
  return known.filter(({ path }) => !superseded.has(path) && !older.has(path));
}

async function findSessionById(
  id: string,
  found: Discovery,
  { narrowing }: TargetOptions,
): Promise<string> {
  const current = await readKnown(found.files.map(({ path }) => path));
  const named = current.filter((session) => session.id.startsWith(id));
  const places = named.length === 0 ? await listUnread(id, found) : [];
  if (places.length > 0) {
    const details = listCandidates(places, (place) => place);
    throw new UsageError(`${id}: no session that can be read has this id; it may be in:`, {
      details,
    });
  }
  const meant = narrowing && named.length > 0 ? await narrow(named, id, narrowing) : current;
  const names: IdNames<KnownSession> = {
    getId: (session) => session.id,
    asked: id,
    unknown:
      'no such file, and no session has this id; coppice list --columns id,session shows all',
    narrower: ', or add --agent, --project or --store',
    describe: describeCandidate,
  };
  const [match] = requireOne(findById(id, meant, names), names);
  if (!match) throw new Error(`no session matches ${id}`);
  return match.path;
}

/** Lists what may hold the session of an id, and cannot be read: directories, and files with the id in their names. */
async function listUnread(id: string, { files, problems }: Discovery): Promise<readonly string[]> {
  const unread = [...problems];
  for (const { path } of files) {
    if (!basename(path).includes(id)) continue;
    try {
      const { kind } = await readOpening(path);
      if (kind !== 'session') unread.push(toNoSessionError(path, kind));
    } catch (error) {
      unread.push(toFileError(error, path, 'read'));
    }
  }
  return unread.map(({ path, message }) => `${path}: ${message}`);
}

/** @throws UsageError, which lists the sessions, where the options fit none. */
async function narrow(
  named: readonly KnownSession[],
  id: string,
  { options, fits }: Narrowing,
): Promise<readonly KnownSession[]> {
  const fitting: KnownSession[] = [];
  for (const session of named) if (await fits(session.path)) fitting.push(session);
  if (fitting.length > 0) return fitting;
  const details = listCandidates(named, describeCandidate);
  throw new UsageError(`${id}: ${options} selects no session with this id, only:`, { details });
}

/** A file that cannot be read has no id to be found by; it is reported when it is asked for. */
export async function readIdIfAny(path: string): Promise<SessionIdentity | undefined> {
  try {
    return await readSessionId(path);
  } catch (error) {
    throwIfBug(error);
    return undefined;
  }
}
