import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { dirname } from 'node:path';
import { isInside } from '../../../session/model/paths.ts';
import { toNoSessionError } from '../../../session/read/no-session.ts';
import { findProblems, type FoundFile, toProblem } from '../../select/found-file.ts';
import { getFileKey, isGone, orPath, statFile } from '../../files/stat-file.ts';
import { discover, discoverIn, type Discovery } from '../../find/discover.ts';
import { findAround } from '../../sessions/find-around.ts';
import { type ReadAll, readPrunables } from '../../sessions/read-prunable.ts';
import { createCompleter } from '../../sessions/surroundings.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import type { FoundPrunable, ReadSessions } from '../../sessions/units.ts';
import type { Targets } from './targets.ts';

/**
 * Reads every session that the policy may be about, and also those of the stores around them: what
 * was forked from what can only be seen in a whole store. Before a session is removed, it is read whole.
 */
export async function readSessions(
  { files, targets, stores, problems: known }: Targets,
  readAll: ReadAll,
  { env }: Pick<AgentWorld, 'env'>,
): Promise<ReadSessions> {
  const problems = [...known];
  const foreign = new Set<string>();
  const shared = { survey: new Survey(), complete: createCompleter({ sure: true, env }) };
  const readSome = async (some: readonly FoundFile[]): Promise<readonly FoundPrunable[]> => {
    const found = await readPrunables(some, shared, readAll);
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
  const around = await findAround(asked, stores);
  const read = [...asked, ...(await readSome(around.files))];
  problems.push(...around.problems);
  const failed = read.filter(({ isTarget }) => isTarget).flatMap(({ error }) => error ?? []);
  const { survey } = shared;
  return { read, stores, problems: [...problems, ...failed.map(toProblem)], survey, foreign };
}

export const APPEARED = 'appeared while prune was reading; the next run decides';

/** The reason why a session is kept that came, or was moved, while others were read. */
const LATE = `it ${APPEARED}`;

/**
 * Lists the stores again, and reads the sessions that were not there before, or were somewhere else. They bear
 * witness to what they were forked from and what they refer to, and are never removed themselves. Undefined where
 * nothing has come.
 */
export async function readLate(
  known: ReadSessions,
  readAll: ReadAll,
  { env }: Pick<AgentWorld, 'env'>,
): Promise<ReadSessions | undefined> {
  const { read, stores, problems, foreign = [] } = known;
  const [again, around] = [await listAgain(known), await findAround(read, stores)];
  const before = new Set([...foreign, ...read.map(({ file }) => file.path)]);
  const others = [...again.files, ...around.files].filter(({ path }) => !before.has(path));
  const files = others.length === 0 ? others : listUnknown(others, read);
  const reported = new Set(problems.map(({ path }) => path));
  const unread = [...again.problems.map(toProblem), ...around.problems].filter(
    ({ path }) => !reported.has(path),
  );
  if (files.length + unread.length === 0) return undefined;
  const shared = { survey: new Survey(), complete: createCompleter({ sure: true, env }) };
  const found = await readPrunables(files, shared, readAll);
  const sessions = new Set(found.map(({ file }) => file.path));
  const late = found.map((one) => {
    return { ...one, obstacle: one.obstacle ?? LATE, isTarget: false };
  });
  const without = files.map(({ path }) => path).filter((path) => !sessions.has(path));
  return {
    ...known,
    read: [...read, ...late],
    problems: [...problems, ...unread],
    foreign: new Set([...foreign, ...without]),
  };
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
  return {
    files: found.flatMap(({ files }) => files),
    problems: found.flatMap((one) => one.problems),
  };
}
