import { getDialect } from '../../session/agents/index.ts';
import { isBelow } from '../../session/model/paths.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { discover } from '../find/discover.ts';
import type { FoundFile } from '../select/found-file.ts';
import { getFileKey, statFile } from '../files/stat-file.ts';
import type { FoundPrunable } from './units.ts';

/**
 * The files that sessions may be related to, and that were not searched: archived sessions beside
 * active ones, as their forks may be.
 */
export async function findAround(
  read: readonly FoundPrunable[],
  searched: readonly string[],
): Promise<{ readonly files: readonly FoundFile[]; readonly problems: readonly FileProblem[] }> {
  const places = new Set<string>();
  for (const { summary } of read) {
    const bases = summary && getDialect(summary.agent).bases;
    for (const place of bases?.listPlaces(summary?.path ?? '') ?? []) places.add(place);
  }
  const known = new Set(read.map(({ file }) => getFileKey(file.path)));
  const files: FoundFile[] = [];
  const problems: FileProblem[] = [];
  for (const place of places) {
    const isSearched = searched.some((store) => place === store || isBelow(place, store));
    if (isSearched || !statFile(place)?.isDirectory()) continue;
    const found = await discover(place);
    for (const { path, code, message } of found.problems) {
      problems.push({ path, problem: { code, message } });
    }
    for (const file of found.files) {
      const real = getFileKey(file.path);
      if (!known.has(real)) files.push(file);
      known.add(real);
    }
  }
  return { files, problems };
}
