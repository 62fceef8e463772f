import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isCompressed } from '../zstd/is-compressed.ts';
import { toFileError } from './file-error.ts';
import { listEntries } from './list-directory.ts';
import { findRealPath } from './real-path.ts';

/**
 * The first file below one of these directories whose name fits, in the order of the directories; of
 * several in one of them, a plain one before one that is compressed, and the last by name. Symbolic
 * links are not followed.
 * @throws FileError if a directory cannot be read; one that is not there holds nothing.
 */
export function findBelow(
  directories: readonly string[],
  fits: (name: string) => boolean,
): string | undefined {
  const seen = new Set<string>();
  for (const directory of directories) {
    const path = chooseFile(walk(directory, fits, seen));
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Chooses among files of one directory as `findBelow` does. */
export function chooseFile(paths: readonly string[]): string | undefined {
  const sorted = paths.toSorted();
  return sorted.findLast((one) => !isCompressed(one)) ?? sorted.at(-1);
}

/** All such files, also those that symbolic links lead to. @throws FileError as `findBelow`. */
export function listBelow(
  directories: readonly string[],
  fits: (name: string) => boolean,
): readonly string[] {
  const seen = new Set<string>();
  return directories.flatMap((directory) => walk(directory, fits, seen, true));
}

/** All such files below a directory, and nothing that symbolic links lead to. @throws FileError as `findBelow`. */
export function listWithoutLinks(
  directory: string,
  fits: (name: string) => boolean,
): readonly string[] {
  return walk(directory, fits, new Set());
}

function walk(
  top: string,
  fits: (name: string) => boolean,
  seen: Set<string>,
  follows = false,
): string[] {
  const found: string[] = [];
  const below = [top];
  for (let at = below.pop(); at !== undefined; at = below.pop()) {
    const place = follows ? findRealPath(at) : at;
    if (place === undefined || seen.has(place)) continue;
    seen.add(place);
    for (const entry of listEntries(at)) {
      const path = join(at, entry.name);
      const kind = follows && entry.isSymbolicLink() ? lookAt(path) : entry;
      if (kind?.isDirectory()) below.push(path);
      else if (kind?.isFile() && fits(entry.name)) found.push(path);
    }
  }
  return found;
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toFileError(error, path, 'search');
  }
}
