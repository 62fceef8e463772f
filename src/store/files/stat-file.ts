import { lstatSync, type Stats, statSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import {
  isMissing,
  orFileErrorSync,
  throwIfBug,
  toFileError,
} from '../../session/jsonl/files/file-error.ts';
import { toStamp } from '../../session/jsonl/files/identity/file-stamp.ts';
import { findRealPath } from '../../session/jsonl/files/real-path.ts';
import { hasNumber } from '../../session/jsonl/files/identity/same-file.ts';
import { attempt } from './attempt.ts';

/** Undefined if that cannot be read; reading the file will report the reason. */
export function statFile(path: string): Stats | undefined {
  try {
    // An error takes ten times as long as a look.
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * The state of what a path leads to; undefined where there is nothing.
 * @throws FileError if it cannot be looked up.
 */
export function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}

/**
 * The state of what has that name, be it a link; undefined where nothing has.
 * @throws FileError if it cannot be looked up.
 */
export async function lookUp(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    if (problem.code === 'ENOENT') return undefined;
    throw problem;
  }
}

/**
 * Returns whether something has that name, be it a link that leads nowhere.
 * @throws FileError if it cannot be looked up.
 */
export async function isThere(path: string): Promise<boolean> {
  return (await lookUp(path)) !== undefined;
}

/** Returns the same as `isThere`, at once; below a file there is nothing. @throws FileError if it cannot be looked up. */
export function isThereNow(path: string): boolean {
  try {
    // Most notes of an agent are not there.
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    if (isMissing(problem)) return false;
    throw problem;
  }
}

/**
 * Returns whether a directory can get a name: nothing has it, or an empty directory.
 * @throws FileError if it cannot be looked up.
 */
export async function isFreeForDirectory(path: string): Promise<boolean> {
  const stats = await lookUp(path);
  if (!stats?.isDirectory()) return stats === undefined;
  return (await attempt(path, () => readdir(path), 'read the directory')).length === 0;
}

/** Returns whether there is certainly nothing by that name. */
export function isGone(path: string): boolean {
  return orFileErrorSync(() => isThereNow(path)) === false;
}

/**
 * Finds the link that leads nowhere for which nothing is at a path: the path itself, or a directory on it. Undefined
 * without one.
 * @throws FileError if it cannot be looked up.
 */
export function findDeadLink(path: string): string | undefined {
  let at = path;
  while (isGone(at) && at !== dirname(at)) at = dirname(at);
  return statIfThere(at) === undefined ? at : undefined;
}

/** @throws FileError if there is such a link, since what is behind it is not known. */
export function requireNoDeadLink(path: string): void {
  const at = findDeadLink(path);
  if (at === undefined) return;
  throw new FileError(path, 'EINVAL', `cannot read: ${at} is a link that leads nowhere`);
}

/** The size of a file in bytes, or 0. */
export function getFileSize(path: string): number {
  return statFile(path)?.size ?? 0;
}

/** Resolves a path as `findRealPath`; the path itself where there is nothing. @throws FileError as that. */
export function getRealPath(path: string): string {
  return findRealPath(path) ?? path;
}

/**
 * Makes a function that resolves directories like `getRealPath`, each once; one that cannot be looked up to
 * itself.
 */
export function createResolver(): (directory: string) => string {
  const known = new Map<string, string>();
  return (directory) => {
    const real = known.get(directory) ?? orPath(getRealPath, directory);
    known.set(directory, real);
    return real;
  };
}

/**
 * Returns a key that is equal for the paths by which one file or directory is reached, through links and mounts, and in whatever
 * spelling. The names of a file that has several (hard links) have a key each.
 * @throws FileError if it cannot be looked up.
 */
export function getFileKey(path: string): string {
  try {
    const stats = statSync(path, { bigint: true });
    const { dev, ino } = toStamp(stats);
    const isOne = stats.isDirectory() || stats.nlink === 1n;
    if (isOne && hasNumber({ dev, ino })) return `${dev}:${ino}`;
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    if (!isMissing(problem)) throw problem;
  }
  return getRealPath(path);
}

/**
 * Returns the key or the real path that `find` finds; the path itself where it cannot be looked up, since reading
 * the file will report the reason.
 */
export function orPath(find: (path: string) => string, path: string): string {
  try {
    return find(path);
  } catch (error) {
    throwIfBug(error);
    return path;
  }
}

/** Returns a text that is another one once a file has changed, was replaced, or can be looked up no more. */
export function readStateText(path: string): string {
  try {
    const { dev, ino, size, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, ctimeNs].join(':');
  } catch (error) {
    return toFileError(error, path, 'look up').code;
  }
}

/** Returns the time of the last write to a file, in nanoseconds; undefined if it cannot be read. */
export function readMtime(path: string): bigint | undefined {
  try {
    return lstatSync(path, { bigint: true }).mtimeNs;
  } catch {
    return undefined;
  }
}
