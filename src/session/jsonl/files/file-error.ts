import { constants } from 'node:os';
import { type ErrorCode, FileError } from '../../../errors.ts';

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or directory',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'already exists',
  EFBIG: 'file too large',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'disk quota exceeded',
  EROFS: 'read-only file system',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files in the system',
  EIO: 'input/output error',
  ELOOP: 'too many symbolic links',
  ENAMETOOLONG: 'file name too long',
  EXDEV: 'on another file system',
  ENOTEMPTY: 'the directory is not empty',
  EBUSY: 'in use by the system or another program',
  ETXTBSY: 'in use as a running program',
  ETIMEDOUT: 'the server of the file system does not answer',
  ESTALE: 'stale file handle: it was replaced or removed on the server of the file system',
};

/** Names that Node lacks, by their number. */
const UNNAMED: ReadonlyMap<number | undefined, ErrorCode> = new Map([
  [-constants.errno.ESTALE, 'ESTALE'],
  [-constants.errno.EDQUOT, 'EDQUOT'],
]);

/** Words a code of the system; undefined for others. */
export function getWords(code: unknown): string | undefined {
  return typeof code === 'string' ? CAUSES[code] : undefined;
}

interface CodedError extends Error {
  readonly code: ErrorCode;
  readonly errno?: number;
  /** Present in an error of the system, and not in one of Node itself. */
  readonly syscall?: string;
}

/** The system's own names are all that is found under `code` of a system error. */
function hasCode(error: unknown): error is CodedError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * The code of an error. Node has no name for some that a damaged disk, a server or a locked directory gives, such as
 * `EUCLEAN`: it words their number.
 */
function getCode({ code, errno, syscall }: CodedError): ErrorCode {
  const known = UNNAMED.get(errno) ?? code;
  return syscall === undefined || Object.hasOwn(constants.errno, known) ? known : 'EUNKNOWN';
}

/** The error for a file that is no longer as it was read. `outcome`: what became of it, or the remedy. */
export function changedError(path: string, outcome = '; left unchanged'): FileError {
  return new FileError(path, 'ECHANGED', `changed since it was read${outcome}`);
}

/** Returns whether there is nothing at a path: no such name, or a file where a directory would be. */
export function isMissing({ code }: Pick<FileError, 'code'>): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Returns whether the system has failed to do something with what is there: another run may do it. */
export function isSystemFailure({ code }: { readonly code: string }): boolean {
  return (Object.hasOwn(constants.errno, code) || code === 'EUNKNOWN') && code !== 'ENOENT';
}

/** Returns whether the user may not look there. */
export function isClosed({ code }: Pick<FileError, 'code'>): boolean {
  return code === 'EACCES' || code === 'EPERM';
}

const EXHAUSTED: ReadonlySet<ErrorCode> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/**
 * Returns whether what is at a path is out of reach for this user, also if they ask again: it is closed to them, its
 * disk does not answer, or links lead in a circle.
 */
export function isUnreachable(error: FileError): boolean {
  return isSystemFailure(error) && !EXHAUSTED.has(error.code);
}

/** Returns whether something is there and could not be read: by the system, or since it is damaged. */
export function isReadFailure(error: FileError): boolean {
  return isSystemFailure(error) || ['EBADDB', 'EBADZSTD', 'ENOSQLITE'].includes(error.code);
}

/**
 * Translates an errno once, with the path and what was tried (`read`, `write`, `rename`).
 * Anything that is not a file system error is a bug, and is thrown as it is.
 */
export function toFileError(error: unknown, path: string, action: string): FileError {
  if (error instanceof FileError) return error;
  if (!hasCode(error)) throw error;
  const code = getCode(error);
  const cause = getWords(code) ?? error.message;
  return new FileError(path, code, `cannot ${action}: ${cause}`, { cause: error });
}

/** Throws an error that is none of the file system: a bug. */
export function throwIfBug(error: unknown): void {
  if (!(error instanceof FileError) && !hasCode(error)) throw error;
}

/** Returns the result of synchronous work, or the FileError that ended it. */
export function orFileErrorSync<T>(work: () => T): T | FileError {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

/** Returns the result of work, or the FileError that ended it. */
export async function orFileError<T>(work: () => Promise<T>): Promise<T | FileError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}
