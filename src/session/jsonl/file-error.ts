import { FileError } from '../../errors.ts';

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
};

function hasCode(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * Translates an errno once, with the path and what was tried (`read`, `write`, `rename`).
 * Anything that is no file system error is a bug, and is thrown as it is.
 */
export function toFileError(error: unknown, path: string, action: string): FileError {
  if (error instanceof FileError) return error;
  if (!hasCode(error)) throw error;
  const cause = CAUSES[error.code] ?? error.message;
  return new FileError(path, error.code, `cannot ${action}: ${cause}`, { cause: error });
}
