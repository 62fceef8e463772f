import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, toFileError } from './file-error.ts';

/**
 * The paths, in order, of what is in a directory and whose name ends so; none where there is no directory.
 * @throws FileError if it cannot be read.
 */
export async function listDirectory(directory: string, ending = ''): Promise<readonly string[]> {
  const names = await listNames(directory);
  return names.filter((name) => name.endsWith(ending)).map((name) => join(directory, name));
}

/**
 * The names, in order, of what is in a directory; none where there is no directory.
 * @throws FileError if it cannot be read.
 */
export async function listNames(directory: string): Promise<readonly string[]> {
  try {
    // The thread pool costs ten times as much, and `prune` lists each project of a store.
    return readdirSync(directory).toSorted();
  } catch (error) {
    const problem = toFileError(error, directory, 'read');
    if (isMissing(problem)) return [];
    throw problem;
  }
}

/** Lists the files of an ending, last written first, for callers that cannot wait. */
export function listLatestSync(directory: string, ending: string): readonly string[] {
  try {
    const files = readdirSync(directory)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(directory, name))
      .map((path) => ({ path, stats: statSync(path, { throwIfNoEntry: false }) }));
    const time = (stats: { mtimeMs: number } | undefined): number => stats?.mtimeMs ?? 0;
    return files.toSorted((a, b) => time(b.stats) - time(a.stats)).map(({ path }) => path);
  } catch (error) {
    const problem = toFileError(error, directory, 'read');
    if (problem.code === 'ENOENT') return [];
    throw problem;
  }
}

/** The names of what is in a directory, as `listEntriesSync` lists it. @throws FileError if it cannot be read. */
export function listNamesSync(directory: string): readonly string[] {
  return listEntriesSync(directory).map(({ name }) => name);
}

/**
 * The entries of a directory; none where there is no directory.
 * @throws FileError if it cannot be read.
 */
export function listEntriesSync(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const problem = toFileError(error, directory, 'search');
    if (isMissing(problem)) return [];
    throw problem;
  }
}
