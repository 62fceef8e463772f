import { findProblems, type FoundFile, toProblem } from '../../store/select/found-file.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import { findAround } from '../../store/sessions/find-around.ts';
import type { FoundPrunable, ReadSessions } from '../../store/sessions/units.ts';
import { type ReadAll, readPrunables } from '../../store/sessions/read-prunable.ts';
import { createCompleter } from '../../store/sessions/surroundings.ts';
import { Survey } from '../../store/sessions/survey.ts';
import type { Context } from '../command.ts';
import { readIndexed, readSummaries } from '../shared/summaries.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { findTargets, type Targets } from './targets.ts';

/**
 * Reads every session that the policy may be about, and also those of the stores around them: what
 * was forked from what can only be seen in a whole store. Before a session is removed, it is read whole.
 */
export async function readSessions(
  { files, targets, stores, problems: known }: Targets,
  request: Pick<SelectionRequest, 'cache' | 'jobs'>,
  context: Context,
): Promise<ReadSessions> {
  const problems = [...known];
  const shared = { survey: new Survey(), complete: createCompleter() };
  const readSummary = request.cache ? readIndexed : readSummaries;
  const { jobs } = request;
  const readAll: ReadAll = (paths) => readSummary(paths, { usage: false, jobs }, context);
  const readSome = async (some: readonly FoundFile[]): Promise<readonly FoundPrunable[]> => {
    const found = await readPrunables(some, shared, readAll);
    const sessions = new Set(found.map(({ file }) => file.path));
    for (const file of some) {
      if (!targets.has(file.path) || sessions.has(file.path)) continue;
      problems.push(...findProblems(file, toNoSessionError(file.path, 'foreign')));
    }
    return found.map((one) => ({ ...one, isTarget: targets.has(one.file.path) }));
  };
  const asked = await readSome(files);
  const around = await findAround(asked, stores);
  const read = [...asked, ...(await readSome(around.files))];
  problems.push(...around.problems);
  const failed = read.filter(({ isTarget }) => isTarget).flatMap(({ error }) => error ?? []);
  return { read, stores, problems: [...problems, ...failed.map(toProblem)] };
}

/** Reads every line of some of them, on several threads. */
export function createReadWhole({ jobs }: SelectionRequest, context: Context): ReadAll {
  return (paths) => readSummaries(paths, { usage: false, whole: true, jobs }, context);
}

/** Finds and reads them. */
export async function findSessions(
  request: SelectionRequest,
  context: Context,
): Promise<ReadSessions> {
  return readSessions(await findTargets(request, context), request, context);
}
