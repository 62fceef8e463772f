import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isUnreachable, isMissing, toFileError } from './file-error.ts';

/*
 * All of these are synchronous: the thread pool costs ten times as much, and `prune` lists each project of a store.
 */

/**
 * The entries of a directory; none where there is no directory.
 * @throws FileError if it cannot be read.
 */
export function listEntries(directory: string): readonly Dirent[] {
  return orNone(directory, () => readdirSync(directory, { withFileTypes: true }));
}

/** The names, in order, of what is in a directory, as `listEntries` lists it. */
export function listNames(directory: string): readonly string[] {
  return orNone(directory, () => readdirSync(directory).toSorted());
}

/** Lists names as `listNames` does; none in what is out of reach (`isUnreachable`). */
export function listReadable(directory: string): readonly string[] {
  return orUnreachable(directory, () => listNames(directory));
}

/** Lists entries as `listEntries` does; none in what is out of reach (`isUnreachable`). */
export function listReadableEntries(directory: string): readonly Dirent[] {
  return orUnreachable(directory, () => listEntries(directory));
}

function orUnreachable<T>(directory: string, list: () => readonly T[]): readonly T[] {
  try {
    return list();
  } catch (error) {
    if (isUnreachable(toFileError(error, directory, 'read'))) return [];
    throw error;
  }
}

/** The paths, in order, of what is in a directory, as `listEntries` lists it, and whose name ends so. */
export function listDirectory(directory: string, ending = ''): readonly string[] {
  return listNames(directory)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(directory, name));
}

/** Lists the files of an ending as `listDirectory` does, but last written first. */
export function listLatest(directory: string, ending: string): readonly string[] {
  const files = listDirectory(directory, ending).map((path) => {
    const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return { path, time };
  });
  return files.toSorted((a, b) => b.time - a.time).map(({ path }) => path);
}

function orNone<T>(directory: string, list: () => readonly T[]): readonly T[] {
  try {
    return list();
  } catch (error) {
    const problem = toFileError(error, directory, 'read');
    if (isMissing(problem)) return [];
    throw problem;
  }
}
