import { lstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { isClosed, isMissing, toFileError } from './file-error.ts';

/**
 * Resolves a path, in the spelling that the names have on the disk, which Node's own `realpathSync` does not
 * look up: where case is folded, two spellings are one path. Undefined where nothing is, or a link leads nowhere.
 * @throws FileError if it cannot be looked up.
 */
export function findRealPath(path: string): string | undefined {
  const found = resolve(path, realpathSync.native);
  if (!(found instanceof FileError)) return found;
  // Some disks of Windows, such as those in memory, cannot answer the call of the system.
  const other = resolve(path, realpathSync);
  if (other instanceof FileError) throw found;
  return other;
}

/**
 * Returns whether something has that name, wherever it leads: also where it does not answer, in a directory that does.
 * Nothing has one where the user may not look.
 */
export function hasName(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    const isSilent = !isMissing(problem) && !isClosed(problem);
    return isSilent && !(resolve(dirname(path), realpathSync.native) instanceof FileError);
  }
}

function resolve(path: string, by: (path: string) => string): string | FileError | undefined {
  try {
    return by(path);
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    return isMissing(problem) ? undefined : problem;
  }
}
