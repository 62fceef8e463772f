import { FileError } from '../../../errors.ts';
import { getDialect } from '../../../session/agents/index.ts';
import { isBelow } from '../../../session/model/paths.ts';
import { readOpening } from '../../../session/read/read-opening.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { type FoundFile, isGoneSince, listExplicit, toProblem } from '../../select/found-file.ts';
import { findAround } from '../../sessions/find-around.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { type ReadAll, readPrunables, type Shared } from '../../sessions/read-prunable.ts';
import { toPrunableUnits } from '../../sessions/units/read-units.ts';
import type { PrunableUnit } from '../../sessions/units/unit.ts';

/** The files of a run that copies sessions. */
export interface ChosenFiles {
  readonly files: readonly FoundFile[];
  /** Every file that was found, chosen or not: one may be a part of a session that was chosen. */
  readonly all: readonly FoundFile[];
}

/** The means of reading them. */
export interface UnitReading {
  readonly shared: Shared;
  readonly readAll: ReadAll;
  /** Directories that were searched. */
  readonly stores: readonly string[];
  readonly world: AgentWorld;
}

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
export async function splitOffUnits(
  { files, all }: ChosenFiles,
  isAlone: (path: string) => boolean,
  { shared, readAll, stores, world }: UnitReading,
): Promise<FoundUnits> {
  const { homes, parts, alone, unread } = await sortByHome(files, isAlone);
  if (parts.size === 0) return { units: [], files: alone, problems: unread };
  const near = all.filter(({ path }) => {
    return parts.has(path) || [...homes].some((home) => isBelow(path, home));
  });
  const read = async (some: readonly FoundFile[]) => {
    const found = await readPrunables(some, shared, readAll);
    return found.map((one) => ({ ...one, isTarget: parts.has(one.file.path) }));
  };
  const own = await read(near);
  const around = await findAround(own, stores);
  const found = [...own, ...(await read(around.files))];
  const units = await toPrunableUnits(
    { read: found, stores, problems: around.problems, survey: shared.survey },
    world,
  );
  // A part that was asked for by name stands for the whole, wherever the session's own file is.
  const named = listExplicit(files);
  const isChosen = ({ whole, members }: PrunableUnit): boolean =>
    parts.has(whole.file.path) || members.some((path) => named.has(path));
  return {
    units: units.filter(isChosen),
    files: alone,
    problems: [...unread, ...around.problems],
  };
}

/** Distinguishes the parts of sessions of several files from other files, by what they begin with. */
async function sortByHome(files: readonly FoundFile[], isAlone: (path: string) => boolean) {
  const homes = new Set<string>();
  const parts = new Set<string>();
  const alone: FoundFile[] = [];
  const unread: FileProblem[] = [];
  for (const file of files) {
    const home = isAlone(file.path) ? undefined : await orFileError(() => findHome(file.path));
    if (home instanceof FileError) {
      if (!isGoneSince(file, home)) unread.push(toProblem(home));
    } else if (home === undefined) alone.push(file);
    else {
      homes.add(home);
      parts.add(file.path);
    }
  }
  return { homes, parts, alone, unread };
}

/**
 * The directory in which the other files of a session may be; undefined for one that has none.
 * @throws FileError where it cannot be read: then it may have some.
 */
async function findHome(path: string): Promise<string | undefined> {
  const opening = await readOpening(path);
  if (opening.kind !== 'session') return undefined;
  const { rows } = getDialect(opening.dialect.agent);
  return rows && (rows.findHome(path) ?? path);
}
