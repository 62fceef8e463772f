import { realpathSync } from 'node:fs';
import { FileError } from '../../../errors.ts';
import { isMissing, toFileError } from './file-error.ts';

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

function resolve(path: string, by: (path: string) => string): string | FileError | undefined {
  try {
    return by(path);
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    return isMissing(problem) ? undefined : problem;
  }
}
