import { randomBytes } from 'node:crypto';
import { lstatSync, openSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, toFileError } from './file-error.ts';
import { getOwnPlace, isRunning } from './process-place.ts';

/** Appends always go to the end, also after another process has appended to the renamed file. */
const CREATE_FOR_APPEND = 'ax+';
const ENDING = 'coppice-tmp';
const OWN = /^\..*\.(?<pid>\d+)@(?<place>[^@]+)\.[0-9a-f]{12}\.(?<ending>coppice-[a-z]+)$/;
const ASIDE_ENDING = '.coppice-moved.json';
const ASIDE =
  /^(?<before>[^]+)\.(?<pid>\d{1,20})@(?<place>[^@.]{1,64})\.[0-9a-f]{12}\.coppice-moved\.json$/;
/** Old enough that no run on any machine, or in any container, can still be writing it. */
const STALE_AFTER_MS = 24 * 60 * 60 * 1000;
/**
 * The shown characters of a name, at most three bytes each, so that the whole is below the 255 of
 * file systems.
 */
const SHOWN_CHARACTERS = 48;

export interface TempFile {
  readonly path: string;
  readonly file: FileHandle;
}

/** Creates a new, private file beside `path`, whose name records which process it belongs to. */
export async function createTempFile(path: string): Promise<TempFile> {
  const temp = toTempPath(path);
  return { path: temp, file: await open(temp, CREATE_FOR_APPEND, 0o600) };
}

/** Creates a temporary file for callers that cannot wait. */
export function createTempFileSync(path: string): { readonly path: string; readonly fd: number } {
  const temp = toTempPath(path);
  return { path: temp, fd: openSync(temp, CREATE_FOR_APPEND, 0o600) };
}

/** Returns whether a file is a temporary one of coppice, by its name. */
export function isTempName(name: string): boolean {
  return OWN.exec(name)?.groups?.['ending'] === ENDING;
}

/** The path of a new temporary file or directory beside `path`. */
export function toTempPath(path: string): string {
  return toOwnPath(path, ENDING);
}

/** The path of a new file beside `path` that names its process, with an ending such as `coppice-tmp`. */
export function toOwnPath(path: string, ending: string): string {
  const name = basename(path).slice(0, SHOWN_CHARACTERS);
  return join(dirname(path), `.${name}.${createMark()}.${ending}`);
}

/** Makes the part of a name that records the process, and is unique. */
function createMark(): string {
  return `${process.pid}@${getOwnPlace()}.${randomBytes(6).toString('hex')}`;
}

/**
 * The path beside `path` to which a file is taken aside, to be removed. coppice finds it there if that process
 * is killed, and agents do not: they look for `.jsonl` only.
 */
export function toAsidePath(path: string): string {
  return `${path}.${createMark()}${ASIDE_ENDING}`;
}

/** The path that a file had which was taken aside; undefined for others. */
export function findPathBefore(path: string): string | undefined {
  const name = basename(path);
  const before = ASIDE.exec(name)?.groups?.['before'];
  return before === undefined ? undefined : path.slice(0, -name.length) + before;
}

/**
 * Removes the temporary files that killed runs left in a directory, if it exists; files of live runs
 * are kept. `trees` removes temporary directories as well, with all that they hold: only for a
 * directory where no one but coppice makes such names.
 * @throws FileError if the directory cannot be read or a file cannot be removed.
 */
export async function removeStaleTempFiles(
  directory: string,
  now: number,
  { trees = false } = {},
): Promise<void> {
  try {
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (isTempName(name) && (await isLeftBehind(path, now, { trees }))) await remove(path, trees);
    }
  } catch (error) {
    const problem = toFileError(error, directory, 'clean up');
    if (!isMissing(problem)) throw problem;
  }
}

/** Makes a function that removes stale temporary files, once from each directory. */
export function createCleaner(now: number): (directory: string) => Promise<void> {
  const cleared = new Map<string, Promise<void>>();
  return (directory) => {
    const clearing = cleared.get(directory) ?? removeStaleTempFiles(directory, now);
    cleared.set(directory, clearing);
    return clearing;
  };
}

/**
 * Returns whether a file is of a run that is no longer there, by its name or its age; a directory is not
 * unless `trees`.
 */
export async function isLeftBehind(
  path: string,
  now: number,
  { trees = false } = {},
): Promise<boolean> {
  const owner = findOwner(path);
  if (!owner) return false;
  try {
    // The mtime does not count: that is set to the session's.
    const stats = await lstat(path);
    // coppice makes nothing else, whatever its name.
    if (!stats.isFile() && !(trees && stats.isDirectory())) return false;
    const { ctimeMs } = stats;
    return hasEnded(owner, ctimeMs) || now - ctimeMs > STALE_AFTER_MS;
  } catch (error) {
    // Another run was faster.
    if (toFileError(error, path, 'remove').code === 'ENOENT') return false;
    throw error;
  }
}

/** Returns whether a file is surely of a run that is no longer there, or is gone by now. */
export function isOfEndedRun(path: string): boolean {
  const owner = findOwner(path);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return !stats || (owner !== undefined && hasEnded(owner, stats.ctimeMs));
}

interface Owner {
  readonly pid: number;
  readonly place: string;
}

/** The process that has made a file, as its name says. */
function findOwner(path: string): Owner | undefined {
  const name = basename(path);
  const { pid, place } = (OWN.exec(name) ?? ASIDE.exec(name))?.groups ?? {};
  return pid === undefined || place === undefined ? undefined : { pid: Number(pid), place };
}

function hasEnded({ pid, place }: Owner, createdMs: number): boolean {
  return place === getOwnPlace() && !isAlive(pid, createdMs);
}

async function remove(path: string, isTree: boolean): Promise<void> {
  try {
    if (isTree) await rm(path, { recursive: true });
    else await unlink(path);
  } catch (error) {
    // Another run was faster.
    if (toFileError(error, path, 'remove').code !== 'ENOENT') throw error;
  }
}

/** Returns whether the process that made a file at `createdMs` can still be there. */
function isAlive(pid: number, createdMs: number): boolean {
  // Every run in a container may have the same pid as the one before.
  if (pid === process.pid) return createdMs >= Math.floor(performance.timeOrigin);
  return isRunning(pid);
}
