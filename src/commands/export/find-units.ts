import { getDialect } from '../../session/agents/index.ts';
import { isBelow } from '../../session/model/paths.ts';
import { readOpening } from '../../session/read/read-opening.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { findAround } from '../../store/sessions/find-around.ts';
import { type PrunableUnit, toPrunableUnits } from '../../store/sessions/units.ts';
import { readPrunables, type Shared } from '../../store/sessions/read-prunable.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { listExplicit } from '../../store/select/found-file.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { readIndexed, readSummaries } from '../shared/summaries.ts';
import type { ChosenFiles } from './folder/find-files-to-copy.ts';

export interface FoundUnits {
  /** Sessions of several files, each to be copied as one. */
  readonly units: readonly PrunableUnit[];
  /** The other files. */
  readonly files: readonly FoundFile[];
  readonly problems: readonly FileProblem[];
}

/**
 * Takes out of the files those of agents that keep a session in several, and finds the whole of each.
 * `isAlone`: whether a path is known to be of another agent.
 */
export async function findUnits(
  { files, all }: ChosenFiles,
  isAlone: (path: string) => boolean,
  shared: Shared,
  { select, stores }: { readonly select: SelectionRequest; readonly stores: readonly string[] },
  context: Context,
): Promise<FoundUnits> {
  const homes = new Set<string>();
  const alone: FoundFile[] = [];
  const parts = new Set<string>();
  for (const file of files) {
    const home = isAlone(file.path) ? undefined : await findHome(file.path);
    if (home === undefined) alone.push(file);
    else {
      homes.add(home);
      parts.add(file.path);
    }
  }
  if (parts.size === 0) return { units: [], files, problems: [] };
  const near = all.filter(({ path }) => {
    return parts.has(path) || [...homes].some((home) => isBelow(path, home));
  });
  const readSummary = select.cache ? readIndexed : readSummaries;
  const read = async (some: readonly FoundFile[]) => {
    const readAll = (paths: readonly string[]) =>
      readSummary(paths, { usage: false, jobs: select.jobs }, context);
    const found = await readPrunables(some, shared, readAll);
    return found.map((one) => ({ ...one, isTarget: parts.has(one.file.path) }));
  };
  const own = await read(near);
  const around = await findAround(own, stores);
  const found = [...own, ...(await read(around.files))];
  const units = await toPrunableUnits(found, around.problems, context);
  // A part that was asked for by name stands for the whole, wherever the session's own file is.
  const named = listExplicit(files);
  const isChosen = ({ whole, members }: PrunableUnit): boolean =>
    parts.has(whole.file.path) || members.some((path) => named.has(path));
  return { units: units.filter(isChosen), files: alone, problems: around.problems };
}

/** The directory in which the other files of a session may be; undefined for one that has none. */
async function findHome(path: string): Promise<string | undefined> {
  const opening = await readOpening(path).catch(() => undefined);
  if (opening?.kind !== 'session') return undefined;
  const { rows } = getDialect(opening.dialect.agent);
  return rows && (rows.findHome(path) ?? path);
}
