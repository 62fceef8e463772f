import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isCompressed } from '../zstd/is-compressed.ts';
import { toFileError } from './file-error.ts';

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
    const found = walk(directory, fits, seen).toSorted();
    const path = found.findLast((one) => !isCompressed(one)) ?? found.at(-1);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** All such files. @throws FileError as `findBelow`. */
export function listBelow(
  directories: readonly string[],
  fits: (name: string) => boolean,
): readonly string[] {
  const seen = new Set<string>();
  return directories.flatMap((directory) => walk(directory, fits, seen));
}

function walk(top: string, fits: (name: string) => boolean, seen: Set<string>): string[] {
  const found: string[] = [];
  const below = [top];
  for (let at = below.pop(); at !== undefined; at = below.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    for (const entry of list(at)) {
      if (entry.isDirectory()) below.push(join(at, entry.name));
      else if (entry.isFile() && fits(entry.name)) found.push(join(at, entry.name));
    }
  }
  return found;
}

function list(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const problem = toFileError(error, directory, 'search');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return [];
    throw problem;
  }
}
