import { lstat } from 'node:fs/promises';
import { isMissing, toFileError } from '../file-error.ts';
import { toStamp } from './file-stamp.ts';
import { type FileId, isOneFile } from './same-file.ts';

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
