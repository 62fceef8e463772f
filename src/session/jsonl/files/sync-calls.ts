import {
  type BigIntStats,
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { FileError } from '../../../errors.ts';
import { toFileError } from './file-error.ts';
import { type FileFacts, type FileStamp, toFacts, toStamp } from './identity/file-stamp.ts';
import { system } from './system.ts';

/** The state of a file, which is not opened for it. @throws FileError if there is none. */
export function readState(path: string): FileStamp {
  try {
    return getStampSync(path);
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

/** Does the same; undefined where there is no file. @throws FileError if that is not known. */
export function findState(path: string): FileStamp | undefined {
  try {
    return readState(path);
  } catch (error) {
    if (error instanceof FileError && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes every byte, however many calls that takes. */
export function writeAllSync(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
}

/** The bytes from `start` to `end`, or to where the file ends. */
export function readRangeSync(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
  return bytes.subarray(0, fillSync(fd, bytes, start));
}

/** Reads from a place in a file until the buffer is full or the file ends; returns how many bytes. */
export function fillSync(fd: number, bytes: Buffer, start: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(fd, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Makes a new name in a directory survive a power cut. */
export function syncDirectorySync(path: string): void {
  if (!system.flushesDirectories) return;
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The state of an open file, or of the one that a path leads to. */
export function getStampSync(file: number | string): FileStamp {
  return toStamp(statAny(file));
}

/** Reads the facts, with all others that a new file takes over. */
export function getFactsSync(file: number | string): FileFacts {
  return toFacts(statAny(file));
}

function statAny(file: number | string): BigIntStats {
  return typeof file === 'number'
    ? fstatSync(file, { bigint: true })
    : statSync(file, { bigint: true });
}
