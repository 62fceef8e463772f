import { dirname, join } from 'node:path';
import { getDialect } from '../../../session/agents/index.ts';
import { isBelow, isInside, listAbove } from '../../../session/model/paths.ts';
import { getFolderPath } from '../../../session/model/sidecar.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { isOfMisnamedFile } from '../../find/discover.ts';
import type { Prunable } from '../read-prunable.ts';

/** Returns whether a problem is an error of the system about what is there, such as a directory that cannot be listed. */
export function isSystemProblem({ problem }: FileProblem): boolean {
  return /^E(?!NOENT)/.test(problem.code);
}

/**
 * Lists the paths that could not be looked into, and may hold sessions: neither files, nor what only an agent has put
 * into the folder of a session.
 */
export function listUnlisted(
  read: readonly Prunable[],
  problems: readonly FileProblem[],
): readonly string[] {
  const unread = problems.filter((one) => isSystemProblem(one) && !isOfMisnamedFile(one));
  if (unread.length === 0) return [];
  const files = new Set(read.map(({ file }) => file.path));
  const places = new Set(read.flatMap(listAgentPlaces));
  return unread
    .map(({ path }) => path)
    .filter((path) => !files.has(path) && ![path, ...listAbove(path)].some((at) => places.has(at)));
}

/** Lists the places of an agent in the folder of a session. Extensions of some may put sessions anywhere in it. */
function listAgentPlaces({ file, summary }: Prunable): readonly string[] {
  const folder = getFolderPath(file.path);
  if (folder === undefined || !summary) return [];
  const { folderNames = [] } = getDialect(summary.agent).sidecars ?? {};
  return folderNames.map((name) => join(folder, name));
}

/** The reason why a session is kept where not all of its store could be listed: its forks may be there. */
export function describeUnlisted(
  { file: { path }, summary }: Prunable,
  unlisted: readonly string[],
  stores: readonly string[],
): string | undefined {
  if (unlisted.length === 0) return undefined;
  const own = summary ? (getDialect(summary.agent).places.listStores?.(path) ?? []) : [];
  const named = stores.filter((store) => isBelow(path, store));
  // A target that is in no store has the directory that it is in read around it.
  const around = [own, named].find(({ length }) => length > 0) ?? [dirname(path)];
  const unseen = unlisted.find((one) => around.some((store) => isInside(one, store)));
  return unseen && `${unseen} cannot be read, and may hold forks of it`;
}
