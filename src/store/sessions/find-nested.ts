import { dirname } from 'node:path';
import { isInside, listAbove } from '../../session/model/paths.ts';
import { getFolderPath } from '../../session/model/sidecar.ts';
import { getFileKey, getRealPath, orPath, statFile } from '../files/stat-file.ts';
import { discover, type Discovery } from '../find/discover.ts';
import type { FoundFile } from '../select/found-file.ts';

/** The endings of session files that have a folder. */
const ENDINGS = ['.jsonl', '.json'];

/**
 * Finds the files in whose folders sessions are, and those in the folders of sessions, where no store was searched that
 * holds them: they are kept or removed together. `paths`: of the sessions; `found`: of all files that were found;
 * `stores`: the directories searched.
 */
export async function findNested(
  paths: readonly string[],
  found: readonly string[],
  stores: readonly string[],
): Promise<Discovery> {
  const around = listOwners(paths, new Set(found));
  const folders = listFolders(paths, stores);
  const inside = folders.length > 0 ? await discover(...folders) : { files: [], problems: [] };
  return { files: listUnknown([...around, ...inside.files], found), problems: inside.problems };
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

/** Lists the files that may own one of `paths`, by these paths and past links, and are not `known`. */
function listOwners(paths: readonly string[], known: ReadonlySet<string>): readonly FoundFile[] {
  const directories = new Set(paths.map((path) => dirname(path)));
  const all = [...directories].flatMap((one) => [one, orPath(getRealPath, one)]);
  const folders = new Set(all.flatMap((one) => [one, ...listAbove(one)]));
  return [...folders]
    .flatMap((folder) => ENDINGS.map((ending) => folder + ending))
    .filter((owner) => !known.has(owner) && statFile(owner)?.isFile())
    .map((path) => ({ path, explicit: false, linked: false }));
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
