import { realpathSync } from 'node:fs';
import { isMissing, toFileError } from './file-error.ts';

/**
 * The path without links; undefined where nothing is, or a link leads nowhere.
 * @throws FileError if it cannot be looked up.
 */
export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    const problem = toFileError(error, path, 'look up');
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}
