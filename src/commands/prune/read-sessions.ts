import { readLate, readSessions } from '../../store/prune/reading/read-sessions.ts';
import { findTargets, type Targets } from '../../store/prune/reading/targets.ts';
import type { PruneQuestion } from '../../store/prune/question.ts';
import type { ReadSessions } from '../../store/sessions/units/unit.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { createStoreFinder } from '../shared/select/files.ts';
import { createNarrowing, reportShard } from '../shared/select/targets.ts';
import { createReader, readSummaries } from '../shared/summaries.ts';

/** Finds the files that a run is about. */
export async function findPruneTargets(
  request: SelectionRequest,
  context: Context,
): Promise<Targets> {
  await reportShard(request, context);
  const { stores } = request;
  const names = await request.listTargets();
  const findStores = createStoreFinder(request, context);
  const narrowing = createNarrowing(request, context);
  return findTargets({ names, stores, findStores, narrowing }, context);
}

/** Reads them on several threads. */
export function readFound(
  targets: Targets,
  select: SelectionRequest,
  context: Context,
): Promise<ReadSessions> {
  return readSessions(targets, createReader(select, context), context);
}

/** Reads every line of some of them, on several threads; and where it is final, those that have come since. */
export function createReaders(
  select: SelectionRequest,
  context: Context,
  isActedOn: boolean,
): Pick<PruneQuestion, 'readWhole' | 'readLate'> {
  const { jobs } = select;
  const read = createReader({ cache: false, jobs }, context);
  return {
    readWhole: (paths) => readSummaries(paths, { usage: false, whole: true, jobs }, context),
    readLate: isActedOn ? (known) => readLate(known, read, context) : undefined,
  };
}
