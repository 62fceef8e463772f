import type { BigIntStats } from 'node:fs';
import { type FileId, isOneFile } from './same-file.ts';
import { system } from '../system.ts';
import { lstat } from 'node:fs/promises';
import { isMissing, toFileError } from '../file-error.ts';

/** Distinguishes one state of a file from another. Times in milliseconds, `size` in bytes. */
export interface FileStamp extends FileId {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly mode: number;
}

export function toStamp(stats: BigIntStats): FileStamp {
  return {
    dev: String(stats.dev),
    ino: String(stats.ino),
    size: Number(stats.size),
    mtimeMs: toMs(stats.mtimeNs),
    ctimeMs: toMs(stats.ctimeNs),
    mode: Number(stats.mode),
  };
}

/** The stamp of a file, with what else a new file takes over. */
export interface FileFacts extends FileStamp {
  readonly atimeMs: number;
  /** How many names it has. */
  readonly links: number;
  readonly uid: number;
  readonly gid: number;
}

export function toFacts(stats: BigIntStats): FileFacts {
  return {
    ...toStamp(stats),
    atimeMs: toMs(stats.atimeNs),
    links: Number(stats.nlink),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
  };
}

const NS_PER_S = 1_000_000_000n;

/** Converts to milliseconds like Node's own `mtimeMs`. */
function toMs(ns: bigint): number {
  return toDateMs(Number(ns / NS_PER_S) * 1000 + Number(ns % NS_PER_S) / 1e6);
}

/** The last time of a date, in milliseconds. */
const LAST_DATE = 8.64e15;

/** Returns the nearest time that a date can have: some file systems keep others, which come of damage. */
export function toDateMs(timeMs: number): number {
  return Math.min(Math.max(timeMs, -LAST_DATE), LAST_DATE);
}

/** The coarsest time a file system keeps: what changes again within it may bear the same time. */
export const CLOCK_TICK_MS = 2000;

/**
 * Returns whether nothing distinguishes one state of a file from another. The ctime also shows a file that was
 * rewritten in place and got its old mtime again: no program can set it.
 */
export function isSameState(a: Omit<FileStamp, 'mode'>, b: Omit<FileStamp, 'mode'>): boolean {
  const isSameFile = a.dev === b.dev && a.ino === b.ino;
  return isSameFile && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}

/**
 * Does what a plan asks of a file. A plan that no longer fits the file may ask the impossible of a
 * line: then the change is the error, and not what came of it.
 */
export function actAsPlanned<T>(act: () => T, isAsPlanned: () => boolean, toError: () => Error): T {
  try {
    return act();
  } catch (error) {
    throw isAsPlanned() ? error : toError();
  }
}

/**
 * A time in milliseconds for Node's calls that set one, so that a file that gets the time of another
 * shows the same `mtimeMs`: the middle of the unit that they cut off to, since a double may be on the
 * wrong side of what it stands for. As text, since they take a negative number, a time before 1970, for
 * the current time.
 */
export function toUtime(timeMs: number): string {
  const seconds = timeMs / 1000;
  return String(seconds + Math.sign(seconds) * system.timeShift);
}

/**
 * Returns whether a name belongs to anything but the given file, a link that leads nowhere included. A second
 * name of the same file is what an interrupted run leaves behind.
 */
export async function isOtherFile(path: string, file: FileId): Promise<boolean> {
  try {
    return !isOneFile(toStamp(await lstat(path, { bigint: true })), file);
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem)) return false;
    throw problem;
  }
}
