import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileError } from './file-error.ts';

/**
 * The paths of what lies in a directory and whose name ends so; none where there is no directory.
 * @throws FileError if the directory cannot be read.
 */
export async function listFiles(directory: string, ending: string): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names.filter((name) => name.endsWith(ending)).map((name) => join(directory, name));
  } catch (error) {
    const problem = toFileError(error, directory, 'read');
    if (problem.code === 'ENOENT') return [];
    throw problem;
  }
}
