import { toNoSessionError } from '../../../session/read/no-session.ts';
import { findProblems, type FoundFile, toProblem } from '../../select/found-file.ts';
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
): Promise<ReadSessions> {
  const problems = [...known];
  const shared = { survey: new Survey(), complete: createCompleter() };
  const readSome = async (some: readonly FoundFile[]): Promise<readonly FoundPrunable[]> => {
    const found = await readPrunables(some, shared, readAll);
    const sessions = new Set(found.map(({ file }) => file.path));
    for (const file of some) {
      if (!targets.has(file.path) || sessions.has(file.path)) continue;
      problems.push(...findProblems(file, toNoSessionError(file.path, 'foreign')));
    }
    // Named one by one: for each object that gets a member after a spread, V8 makes a class.
    return found.map(({ file, summary, files: own, obstacle, error, isBroken }) => {
      const isTarget = targets.has(file.path);
      return { file, summary, files: own, obstacle, error, isBroken, isTarget };
    });
  };
  const asked = await readSome(files);
  const around = await findAround(asked, stores);
  const read = [...asked, ...(await readSome(around.files))];
  problems.push(...around.problems);
  const failed = read.filter(({ isTarget }) => isTarget).flatMap(({ error }) => error ?? []);
  return { read, stores, problems: [...problems, ...failed.map(toProblem)], survey: shared.survey };
}
