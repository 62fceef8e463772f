import { dirname } from 'node:path';
import { isInside, listAbove } from '../../session/model/paths.ts';
import { getFolderPath } from '../../session/model/sidecar.ts';
import { getFileKey, getRealPath, orPath, statFile } from '../files/stat-file.ts';
import { discover, discoverIn, type Discovery } from '../find/discover.ts';
import type { FoundFile } from '../select/found-file.ts';

/** The endings of session files that have a folder. */
const ENDINGS = ['.jsonl', '.json'];

/**
 * Finds the sessions in whose folders others are, and those in the folders of others, where no store was searched that
 * holds them: they are kept or removed together. `paths`: of all that was found; `stores`: the directories searched.
 */
export async function findNested(
  paths: readonly string[],
  stores: readonly string[],
): Promise<Discovery> {
  const around = await Promise.all([...listOwnerHomes(paths)].map(discoverIn));
  const near = [...paths, ...around.flatMap(({ files }) => files.map(({ path }) => path))];
  const folders = listFolders(near, stores);
  const found = [...around, ...(folders.length > 0 ? [await discover(...folders)] : [])];
  return {
    files: listUnknown(
      found.flatMap(({ files }) => files),
      paths,
    ),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** Lists each file once that has none of these paths, by another path either. */
function listUnknown(files: readonly FoundFile[], paths: readonly string[]): readonly FoundFile[] {
  if (files.length === 0) return files;
  const known = new Set(paths.map((path) => orPath(getFileKey, path)));
  return files.filter(({ path }) => {
    const key = orPath(getFileKey, path);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

/** Lists the directories of files that may own one of `paths`, by these paths and past links, and are none of them. */
function listOwnerHomes(paths: readonly string[]): ReadonlySet<string> {
  const known = new Set(paths);
  const directories = new Set(paths.map((path) => dirname(path)));
  const all = [...directories].flatMap((one) => [one, orPath(getRealPath, one)]);
  const folders = new Set(all.flatMap((one) => [one, ...listAbove(one)]));
  const isOwned = (folder: string): boolean =>
    ENDINGS.map((ending) => folder + ending).some(
      (owner) => !known.has(owner) && statFile(owner)?.isFile(),
    );
  return new Set([...folders].filter(isOwned).map((folder) => dirname(folder)));
}

/** Lists the folders of session files that are in no store: whatever is in a store was found. */
function listFolders(paths: readonly string[], stores: readonly string[]): readonly string[] {
  const directories = new Set(paths.map((path) => dirname(path)));
  const isOutside = (one: string): boolean => !stores.some((store) => isInside(one, store));
  const outside = new Set([...directories].filter(isOutside));
  const near = paths.filter((path) => outside.has(dirname(path)));
  const folders = new Set(near.flatMap((path) => getFolderPath(path) ?? []));
  return [...folders].filter((folder) => statFile(folder)?.isDirectory());
}
