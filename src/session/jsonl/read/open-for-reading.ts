import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../files/file-error.ts';
import { type FileStamp, toStamp } from '../files/identity/file-stamp.ts';
import { releaseAfterSync } from '../files/release-after.ts';

export interface OpenFile {
  readonly fd: number;
  readonly stamp: FileStamp;
}

/**
 * Opens a regular file read-only; the caller closes it.
 *
 * Calls to the file system are synchronous here and wherever much is read: a call that goes through
 * Node's thread pool costs more than what it reads, and the second core belongs to other files.
 * @throws FileError if it cannot be opened, or is not a regular file.
 */
export function openForReading(path: string): OpenFile {
  const fd = openAny(path);
  try {
    return { fd, stamp: readStamp(fd, path) };
  } catch (error) {
    const fail = (): never => {
      throw toFileError(error, path, 'read');
    };
    return releaseAfterSync(fail, () => closeSync(fd));
  }
}

/** The state of an open file. */
export function readStamp(fd: number, path: string): FileStamp {
  const stats = fstatSync(fd, { bigint: true });
  if (stats.isDirectory()) throw new FileError(path, 'EISDIR', 'cannot read: is a directory');
  if (!stats.isFile()) throw new FileError(path, 'EINVAL', 'cannot read: is not a regular file');
  return toStamp(stats);
}

function openAny(path: string): number {
  try {
    // Opening a named pipe without O_NONBLOCK would wait for a writer.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
