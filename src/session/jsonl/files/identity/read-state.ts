import { toFileError } from '../file-error.ts';
import type { FileStamp } from './file-stamp.ts';
import { getStampSync } from '../sync-calls.ts';

/** The state of a file, which is not opened for it. @throws FileError if there is none. */
export function readState(path: string): FileStamp {
  try {
    return getStampSync(path);
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
