import { basename, dirname, join } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import { isBelow } from '../../session/model/paths.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { discover } from '../find/discover.ts';
import { type FoundFile, toProblem } from '../select/found-file.ts';
import { getFileKey, getRealPath, orPath, statFile } from '../files/stat-file.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import type { FoundPrunable } from './units/unit.ts';

/**
 * Finds the files that sessions may be related to, and that were not searched: those of other projects where
 * one project was named, archived sessions beside active ones.
 */
export async function findAround(
  read: readonly FoundPrunable[],
  searched: readonly string[],
): Promise<{ readonly files: readonly FoundFile[]; readonly problems: readonly FileProblem[] }> {
  const { stores: around, unresolved } = listStores(read);
  const stores = around.filter((place) => {
    const isSearched = searched.some((store) => place === store || isBelow(place, store));
    return !isSearched && statFile(place)?.isDirectory();
  });
  if (stores.length === 0) return { files: [], problems: unresolved };
  const known = new Set(read.map(({ file }) => orPath(getFileKey, file.path)));
  const found = await discover(...stores);
  return {
    files: found.files.filter(({ path }) => !known.has(orPath(getFileKey, path))),
    problems: [...unresolved, ...found.problems.map(toProblem)],
  };
}

/**
 * Lists the stores that sessions are in by their paths, and by where links in these lead; a problem for each
 * directory of which that is not known.
 */
function listStores(read: readonly FoundPrunable[]): {
  readonly stores: readonly string[];
  readonly unresolved: readonly FileProblem[];
} {
  const targets = new Map<string, string>();
  const stores = new Set<string>();
  const unresolved: FileProblem[] = [];
  const resolve = (directory: string): string => {
    try {
      return getRealPath(directory);
    } catch (error) {
      unresolved.push(toProblem(toFileError(error, directory, 'look up')));
      return directory;
    }
  };
  for (const { summary, file } of read) {
    if (!summary) continue;
    const { places, bases } = getDialect(summary.agent);
    const directory = dirname(file.path);
    const target = targets.get(directory) ?? resolve(directory);
    targets.set(directory, target);
    const real = target === directory ? [] : [join(target, basename(file.path))];
    // The path of its agent may show that it is in a store.
    const { alias = [] } = file;
    for (const path of [file.path, real, alias].flat()) {
      // The places of bases are its stores as well, and its own directory elsewhere.
      for (const store of bases?.listPlaces(path) ?? places.listStores?.(path) ?? []) {
        stores.add(store);
      }
    }
  }
  return { stores: [...stores], unresolved };
}
