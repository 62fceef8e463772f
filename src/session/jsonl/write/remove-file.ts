import { unlink } from 'node:fs/promises';
import { toFileError } from '../files/file-error.ts';

/**
 * Takes back a file that this run has made; nothing to do if it is gone.
 * @throws FileError if it cannot be removed.
 */
export async function removeOwnFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    const problem = toFileError(error, path, 'remove');
    if (problem.code !== 'ENOENT') throw problem;
  }
}
