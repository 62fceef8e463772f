import { FileError } from '../../../errors.ts';
import { getDialect } from '../../../session/agents/index.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { isBelow } from '../../../session/model/paths.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { listAll } from '../../files/list-all.ts';
import { hasOtherName, NOT_PINNED, PinReader } from './pins.ts';
import type { FoundPrunable, PrunableUnit, ReadFile, ReadSessions } from './unit.ts';
import { findPlace, UnitReader } from './unit-reader.ts';
import { describeUnlisted, listUnlisted } from './unlisted.ts';

/**
 * Adds what was found beside the files of a session: a name where they have none, a doubt where they have another, and
 * what is in the way.
 */
function addNotes(
  one: FoundPrunable,
  names: readonly string[] | undefined,
  obstacle: string | undefined,
): FoundPrunable {
  const { summary } = one;
  if (!summary || !names) return obstacle === one.obstacle ? one : { ...one, obstacle };
  const { unread } = summary;
  const name = summary.name ?? names[0] ?? null;
  const hasOther = hasOtherName({ name, unread }, names);
  const all = hasOther ? { ...unread, otherName: true } : unread;
  return { ...one, summary: { ...summary, name, unread: all }, obstacle };
}

/**
 * Makes units of files: where an agent keeps a session in several files, or knows more of it than they say.
 * Every other file is a unit of its own. `problems`: what could not be read around them.
 */
export async function toPrunableUnits(
  { read, stores, problems, survey }: ReadSessions,
  world: AgentWorld,
): Promise<readonly PrunableUnit[]> {
  const reader = new UnitReader(world, survey);
  const pins = new PinReader(world);
  const places = new Map<string, ReadFile[]>();
  const units: PrunableUnit[] = [];
  const unlisted = listUnlisted(read, problems);
  for (const one of read) {
    const rows = one.summary && getDialect(one.summary.agent).rows;
    if (!rows || !isRead(one)) {
      const { pin, names, doubt, failure } = one.summary ? pins.find(one.summary) : NOT_PINNED;
      const obstacle = one.obstacle ?? describeUnlisted(one, unlisted, stores) ?? doubt;
      const whole = addNotes(one, names, obstacle);
      const failures = failure ? [failure] : NONE;
      units.push({ whole, members: [one.file.path], links: NONE, needs: NONE, pin, failures });
      continue;
    }
    const place = findPlace(one.summary);
    addTo(places, place, one);
  }
  const unread = [
    ...read.flatMap((one) => (isHeadless(one) ? [one.file.path] : [])),
    ...problems.flatMap(({ path, problem }) => (problem.code === 'not-a-session' ? [] : [path])),
  ];
  for (const [place, files] of places) {
    const known = unread.find((path) => isBelow(path, place));
    const hidden = known === undefined ? findHidden(files) : undefined;
    const found = await reader.toUnits(files, known ?? hidden?.path);
    for (const { failures = [], ...unit } of found) {
      units.push({ ...unit, failures: [...failures, ...(hidden?.failures ?? [])] });
    }
  }
  return units;
}

/** One for all of the many sessions that are alone. */
const NONE: readonly never[] = [];

/** The first path that cannot be read where files of an agent that continue from others may lie. */
function findHidden([first]: readonly ReadFile[]):
  | { readonly path: string; readonly failures: readonly FileError[] }
  | undefined {
  const { bases } = first ? getDialect(first.summary.agent) : {};
  const places = first && bases ? bases.listPlaces(first.file.path) : [];
  const outermost = places.filter((place) => !places.some((other) => isBelow(place, other)));
  for (const place of outermost) {
    const { unread, failures } = listAll(place);
    const [path] = unread;
    if (path !== undefined) return { path, failures };
  }
  return undefined;
}

function isRead(one: FoundPrunable): one is ReadFile {
  return one.summary !== undefined;
}

/** Returns whether no one can know what a file continues from. */
function isHeadless({ summary, error, isBroken }: FoundPrunable): boolean {
  if (error !== undefined || isBroken === true) return true;
  if (!summary?.relations) return false;
  return summary.problem?.code === 'header-missing' || summary.relations.base?.id === '';
}
