import { basename, dirname, join } from 'node:path';
import { listAbove } from '../../session/model/paths.ts';
import { createResolver, getFileKey, orPath, statFile } from '../files/stat-file.ts';
import { discoverIn, type Discovery } from '../find/discover.ts';

/** The endings of session files that have a folder. */
const ENDINGS = ['.jsonl', '.json'];

/**
 * Finds the sessions in whose folders others are, with the files beside them, where only the folder or a file in it was
 * named: a session in the folder of another is kept with that one. `paths`: of all that was found.
 */
export async function findOwning(paths: readonly string[]): Promise<Discovery> {
  const homes = listOwnerHomes(paths);
  if (homes.size === 0) return { files: [], problems: [] };
  const known = new Set(paths.map((path) => orPath(getFileKey, path)));
  const found = await Promise.all([...homes].map(discoverIn));
  return {
    files: found
      .flatMap(({ files }) => files)
      .filter(({ path }) => !known.has(orPath(getFileKey, path))),
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** Lists the directories of files that may own one of `paths`, by these paths and past links, and are none of them. */
function listOwnerHomes(paths: readonly string[]): ReadonlySet<string> {
  const findReal = createResolver();
  const known = new Set(paths);
  const visited = new Set<string>();
  const homes = new Set<string>();
  for (const path of paths) {
    const real = join(findReal(dirname(path)), basename(path));
    for (const folder of [...listAbove(path), ...listAbove(real)]) {
      if (visited.has(folder)) continue;
      visited.add(folder);
      const owners = ENDINGS.map((ending) => folder + ending);
      const isOwned = owners.some((owner) => !known.has(owner) && statFile(owner)?.isFile());
      if (isOwned) homes.add(dirname(folder));
    }
  }
  return homes;
}
