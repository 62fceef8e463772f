import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { dirname } from 'node:path';
import { isInside, NO_PATHS } from '../../../session/model/paths.ts';
import { toNoSessionError } from '../../../session/read/no-session.ts';
import { findProblems, type FoundFile, toProblem } from '../../select/found-file.ts';
import { type FileState, isAsBefore } from '../../files/file-state.ts';
import { getFileKey, isGone, orPath, statFile } from '../../files/stat-file.ts';
import { discover, discoverIn, type Discovery, joinDiscoveries } from '../../find/discover.ts';
import { findAround } from '../../sessions/find-around.ts';
import { findNested } from '../../sessions/find-nested.ts';
import {
  type Prunable,
  type ReadAll,
  readPrunables,
  type Shared,
} from '../../sessions/read-prunable.ts';
import { createCompleter, type UnreadFact } from '../../sessions/surroundings.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import type { FoundPrunable, ReadSessions } from '../../sessions/units/unit.ts';
import type { Targets } from './targets.ts';

/**
 * Reads every session that the policy may be about, and also those of the stores around them: what
 * was forked from what can only be seen in a whole store. Before a session is removed, it is read whole.
 */
export async function readSessions(
  { files, targets, stores, named, problems: known }: Targets,
  readAll: ReadAll,
  { env }: Pick<AgentWorld, 'env'>,
): Promise<ReadSessions> {
  const problems = [...known];
  const foreign = new Set<string>();
  const states = new Map<string, FileState | undefined>();
  const unreadFacts: UnreadFact[] = [];
  const shared = createShared(env, unreadFacts);
  const readSome = async (some: readonly FoundFile[]): Promise<readonly FoundPrunable[]> => {
    const found = await readPrunables(some, shared, readAll, states);
    const sessions = new Set(found.map(({ file }) => file.path));
    for (const file of some) {
      if (sessions.has(file.path)) continue;
      if (!isGone(file.path)) foreign.add(file.path);
      if (!targets.has(file.path)) continue;
      problems.push(...findProblems(file, toNoSessionError(file.path, 'foreign')));
    }
    // Named one by one: for each object that gets a member after a spread, V8 makes a class.
    return found.map(({ file, summary, files: own, obstacle, error, failure, isBroken }) => {
      const isTarget = targets.has(file.path);
      return { file, summary, files: own, obstacle, error, failure, isBroken, isTarget };
    });
  };
  const asked = await readSome(files);
  const nested = await findNested(
    asked.map(({ file }) => file.path),
    files.map(({ path }) => path),
    stores,
  );
  const near = [...asked, ...(await readSome(nested.files))];
  const around = await findAround(near, stores);
  const read = [...near, ...(await readSome(around.files))];
  problems.push(...nested.problems.map(toProblem), ...around.problems);
  const failed = read.filter(({ isTarget }) => isTarget).flatMap(({ error }) => error ?? []);
  const { survey } = shared;
  const all = [...problems, ...failed.map(toProblem)];
  return { read, stores, named, problems: all, unreadFacts, survey, foreign, states };
}

function createShared(env: AgentWorld['env'], unreadFacts: UnreadFact[]): Shared {
  return { survey: new Survey(), complete: createCompleter({ sure: true, env, unreadFacts }) };
}

export const APPEARED = 'appeared while prune was reading; the next run decides';

/** The reason why a session is kept that came, or was moved, while others were read. */
const LATE = `it ${APPEARED}`;

/**
 * Lists the stores again, and reads the sessions that were not there before, or were somewhere else, and the files that
 * have changed since they were read, as one that was still being copied. They bear witness to what they were forked
 * from and what they refer to, and are never removed themselves. Undefined where nothing has come or changed.
 */
export async function readLate(
  known: ReadSessions,
  readAll: ReadAll,
  { env }: Pick<AgentWorld, 'env'>,
): Promise<ReadSessions | undefined> {
  const { read, stores, problems, foreign = NO_PATHS, readAgain = NO_PATHS } = known;
  const [again, around] = [await listAgain(known), await findAround(read, stores)];
  const listed = [...again.files, ...around.files];
  const before = new Set([...foreign, ...read.map(({ file }) => file.path)]);
  const others = listed.filter(({ path }) => !before.has(path));
  const added = others.length === 0 ? others : listUnknown(others, read);
  const changed = listChanged(known, listed);
  const reported = new Set(problems.map(({ path }) => path));
  const unread = [...again.problems.map(toProblem), ...around.problems].filter(
    ({ path }) => !reported.has(path),
  );
  const files = [...added, ...changed];
  if (files.length + unread.length === 0) return undefined;
  const unreadFacts = [...(known.unreadFacts ?? [])];
  const shared = createShared(env, unreadFacts);
  // A copy that has come may not be complete yet.
  const states = new Map(known.states);
  const found = await readPrunables(files, shared, readAll, states);
  const late = new Map(found.map((one) => [one.file.path, one]));
  const without = added.map(({ path }) => path).filter((path) => !late.has(path));
  return {
    ...known,
    read: replaceChanged(read, late),
    problems: [...problems, ...unread],
    unreadFacts,
    foreign: new Set([...foreign, ...without]),
    readAgain: new Set([...readAgain, ...changed.map(({ path }) => path)]),
    states,
  };
}

/** Lists the files that are not as they were before they were read, and were not read again. */
function listChanged(
  { read, foreign = NO_PATHS, states, readAgain = NO_PATHS }: ReadSessions,
  listed: readonly FoundFile[],
): readonly FoundFile[] {
  const isChanged = ({ path }: FoundFile): boolean => {
    if (states?.has(path) !== true || readAgain.has(path)) return false;
    return !isAsBefore(path, states.get(path)) && !isGone(path);
  };
  const others = listed.filter(({ path }) => foreign.has(path));
  return [...others, ...read.map(({ file }) => file)].filter(isChanged);
}

/** Adds sessions that have come, and what was read again of others, which are not removed in that state. */
function replaceChanged(
  read: readonly FoundPrunable[],
  late: ReadonlyMap<string, Prunable>,
): readonly FoundPrunable[] {
  const known = new Set(read.map(({ file }) => file.path));
  const added = [...late.values()].filter(({ file }) => !known.has(file.path));
  const toLate = (one: Prunable, isTarget: boolean): FoundPrunable => {
    return { ...one, obstacle: one.obstacle ?? LATE, isTarget };
  };
  const replaced = read.map((one): FoundPrunable => {
    const now = late.get(one.file.path);
    if (!now) return one;
    // The files are as they were: that they have changed since is noticed before they are removed.
    if (one.summary) return { ...one, summary: now.summary ?? one.summary };
    return toLate(now, one.isTarget);
  });
  return [...replaced, ...added.map((one) => toLate(one, false))];
}

/** Lists the files that were not read by another path, as through a link. */
function listUnknown(
  files: readonly FoundFile[],
  read: readonly FoundPrunable[],
): readonly FoundFile[] {
  const keys = new Set(read.map(({ file }) => orPath(getFileKey, file.path)));
  return files.filter(({ path }) => !keys.has(orPath(getFileKey, path)));
}

/** Lists what is below the stores by now, and in the directories of sessions that are in none. */
async function listAgain({ read, stores }: ReadSessions): Promise<Discovery> {
  const places = stores.filter((store) => statFile(store)?.isDirectory());
  const homes = new Set(read.map(({ file }) => dirname(file.path)));
  const outside = [...homes].filter((home) => !places.some((place) => isInside(home, place)));
  const found = [await discover(...places)];
  for (const home of outside) found.push(await discoverIn(home));
  return joinDiscoveries(found);
}
