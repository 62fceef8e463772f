import type { FoundFile } from '../../store/find/discover.ts';
import { FOREIGN, type ReadSessions, type ReadWhole } from '../../store/prune/candidates.ts';
import { findAround } from '../../store/prune/find-around.ts';
import type { FoundPrunable } from '../../store/prune/units.ts';
import { readPrunable } from '../../store/read/read-prunable.ts';
import { createCompleter } from '../../store/read/surroundings.ts';
import { Survey } from '../../store/remove/survey.ts';
import type { Context } from '../command.ts';
import { runSessions } from '../shared/run-sessions.ts';
import { toProblem } from '../shared/select.ts';
import { readSummaries } from '../shared/summaries.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { findTargets } from './targets.ts';

/**
 * Reads every session that the policy may be about, and also those of the stores around them: what
 * was forked from what can only be seen in a whole store.
 */
export async function readSessions(
  request: SelectionRequest,
  context: Context,
): Promise<ReadSessions> {
  const { files, targets, stores, problems } = await findTargets(request, context);
  const shared = { survey: new Survey(), complete: createCompleter() };
  const readOne = (file: FoundFile) => readPrunable(file, shared, context.signal);
  const readAll = async (some: readonly FoundFile[]): Promise<readonly FoundPrunable[]> => {
    const how = { label: 'Reading', jobs: request.jobs, context };
    const outcomes = await runSessions(some, readOne, how);
    const found: FoundPrunable[] = [];
    for (const { item, value } of outcomes.filter((outcome) => outcome.ok)) {
      const isTarget = targets.has(item.path);
      if (value) found.push({ ...value, isTarget });
      else if (item.explicit && isTarget) problems.push({ path: item.path, problem: FOREIGN });
    }
    return found;
  };
  const asked = await readAll(files);
  const around = await findAround(asked, stores);
  const read = [...asked, ...(await readAll(around.files))];
  problems.push(...around.problems);
  const failed = read.filter(({ isTarget }) => isTarget).flatMap(({ error }) => error ?? []);
  return { read, stores, problems: [...problems, ...failed.map(toProblem)] };
}

/** Reads every line of some of them, on several threads. */
export function createReadWhole({ jobs }: SelectionRequest, context: Context): ReadWhole {
  return async (paths) => {
    const outcomes = await readSummaries(paths, { usage: false, whole: true, jobs }, context);
    return new Map(
      outcomes.map((outcome) => [outcome.item, outcome.ok ? outcome.value : outcome.error]),
    );
  };
}
