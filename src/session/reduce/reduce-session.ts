import type { Replaced } from '../jsonl/write/replace-file.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import {
  addReasons,
  describe,
  toSkipped,
  type PlannedReduction,
  planReduction,
  type ReduceOptions,
  type ReductionOutcome,
} from './plan-reduction.ts';
import { isChange, orSkip } from '../model/action.ts';
import { reduceShared } from './reduce-shared.ts';
import { continuedSince, replacePlanned } from './replace-planned.ts';

export type { ReduceOptions, ReductionOutcome } from './plan-reduction.ts';

/**
 * Rewrites a session so that it takes less room and the model sees the same, but for images and long
 * outputs where these were asked for. Memory follows the entries, and the longest line.
 * @throws FileError if the file cannot be read or written, or sessions of its agent have nothing of
 * what is to go.
 */
export async function reduceSession(
  path: string,
  options: ReduceOptions,
): Promise<ReductionOutcome> {
  const planned = await planReduction(path, options);
  if ('action' in planned) return planned;
  const { size } = planned.read.session.stamp;
  const harm = await findHarmOfImages(planned, options);
  if (harm !== undefined) return toSkipped(path, size, harm);
  return orSkip<ReductionOutcome>(
    () => reducePlanned(planned, options),
    (reason) => toSkipped(path, size, reason),
  );
}

/**
 * Images that come back, and notes that are longer than a small image, may make a file so large that its agent
 * loads only a part of it.
 */
async function findHarmOfImages(
  { read: { session }, dialect, left }: PlannedReduction,
  options: ReduceOptions,
): Promise<string | undefined> {
  const mayGrow = options.images !== undefined;
  if (!mayGrow || dialect.findHarm?.(session, left, [Infinity]) === undefined) return undefined;
  // A plan counts what it is measured with, so this one is not used for anything else.
  const another = await planReduction(session.path, options);
  if ('action' in another) return undefined;
  return dialect.findHarm(session, left, [await measure(another, options)]);
}

async function reducePlanned(
  planned: PlannedReduction,
  options: ReduceOptions,
): Promise<ReductionOutcome> {
  if (!options.apply) return previewPlanned(planned, options);
  if (planned.counts.cuts) return reduceShared(planned, options);
  const { bytesAfter, notices } = await rewrite(planned, options);
  return addReasons(describe(planned, bytesAfter, options), notices);
}

/** @throws FileError where rows would be changed that cannot be. */
async function previewPlanned(
  planned: PlannedReduction,
  options: ReduceOptions,
): Promise<ReductionOutcome> {
  const { cuts, stale, positions } = planned.counts;
  const outcome = cuts
    ? await reduceShared(planned, options)
    : describe(planned, await measure(planned, options), options);
  const databases = [...(stale?.databases ?? []), ...(positions ? [positions.database] : [])];
  if (isChange(outcome)) {
    const { agent, path } = planned.read.session;
    await options.checkRows?.(agent, path, databases);
  }
  return outcome;
}

function rewrite(planned: PlannedReduction, options: ReduceOptions): Promise<Replaced> {
  const { read, reduction, images, counts } = planned;
  const { path, agent } = read.session;
  return replacePlanned(planned, reduction.transform, options, async ({ cuts = [] }) => {
    if (cuts.length > 0) throw continuedSince(path);
    // The rows go first, so that a run that is killed leaves rows that are missing, and none that are wrong.
    if (counts.stale) await options.removeRows?.(agent, path, counts.stale);
    return images.flush();
  });
}

function measure(
  { read: { session }, reduction }: PlannedReduction,
  { signal }: ReduceOptions,
): Promise<number> {
  const { path, stamp } = session;
  return measureTransformed(path, reduction.transform, { planned: stamp, signal });
}
