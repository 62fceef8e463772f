import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { toFileError } from './file-error.ts';

/**
 * The first file below one of these directories whose name fits, in the order of the directories; of
 * several in one of them, the last by name. Symbolic links are not followed.
 * @throws FileError if a directory cannot be read; one that is not there holds nothing.
 */
export function findBelow(
  directories: readonly string[],
  fits: (name: string) => boolean,
): string | undefined {
  const seen = new Set<string>();
  for (const directory of directories) {
    const found: string[] = [];
    const below = [directory];
    for (let at = below.pop(); at !== undefined; at = below.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      for (const entry of list(at)) {
        if (entry.isDirectory()) below.push(join(at, entry.name));
        else if (entry.isFile() && fits(entry.name)) found.push(join(at, entry.name));
      }
    }
    if (found.length > 0) return found.toSorted().at(-1);
  }
  return undefined;
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
