import { basename, dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Cut, CutDialect, LinePlace } from '../dialect/reduction.ts';
import { flush, type Flushed } from '../jsonl/files/flush.ts';
import { readState } from '../jsonl/files/sync-calls.ts';
import { releaseAfter } from '../jsonl/files/release-after.ts';
import { parseLine } from '../jsonl/read/parse-line.ts';
import { readLines } from '../jsonl/read/read-lines.ts';
import type { LineTransform } from '../jsonl/write/line-transform.ts';
import { replaceFile } from '../jsonl/write/replace-file.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import { CutPlaces, getEnd, toPadding } from './cut-places.ts';
import {
  addReasons,
  describe,
  findKept,
  toSkipped,
  type PlannedReduction,
  planReduction,
  type ReduceOptions,
  type ReductionOutcome,
  type Relatives,
} from './plan-reduction.ts';
import { continuedSince, replacePlanned } from './replace-planned.ts';

/**
 * Rewrites a file from which others continue, so that at every moment each of them finds what is theirs.
 *
 * No two files can change at once. So the file is rewritten from the front, up to one place after another at
 * which others continue; before that place lines of spaces stand for what was taken out, so that old places
 * hold the same lines as new ones. Then the files that continue from there get the new place, and the next
 * rewrite moves the spaces on; the last one leaves them out. A run that is killed leaves spaces, which the
 * next run takes out in the same way.
 */
export async function reduceShared(
  planned: PlannedReduction,
  options: ReduceOptions,
): Promise<ReductionOutcome> {
  const { session } = planned.read;
  const { counts } = planned;
  const { path, stamp, agent } = session;
  const { cuts = [], positions } = counts;
  const { relatives } = options;
  if (!relatives) return toSkipped(path, stamp.size, 'other files continue from it');
  // Each rewrite writes the images that it takes out: those of a run that ends here are not needed.
  const { steps, bytesAfter } = await releaseAfter(
    () => measure(planned, options),
    () => planned.images.discard(),
  );
  const outcome = describe(planned, bytesAfter, options);
  const isRewritten = planned.reduction.savings.length > 0;
  for (const { cut } of isRewritten ? steps : []) {
    const use = relatives.findUse(session, cut.path);
    const name = basename(cut.path);
    if (use !== undefined)
      return toSkipped(path, stamp.size, `${name} continues from it, and ${use}`);
  }
  const explained = addReasons(outcome, explain(planned, steps, options));
  if (!options.apply || !(isRewritten || positions?.isUnplaced)) return explained;
  const names = cuts.map((cut) => cut.path);
  const notices = await relatives.hold(agent, path, names, () =>
    withPositions(planned, relatives, () =>
      isRewritten ? rewriteInSteps(new Set(names), path, options) : Promise.resolve([]),
    ),
  );
  return addReasons(explained, notices);
}

/** A file that continues from another byte than before. */
interface Step {
  readonly cut: Cut;
  readonly to: number;
}

/** Maps places to their new ones after a rewrite, without those that do not move. */
async function measure(
  { read: { session }, reduction, counts: { cuts = [] } }: PlannedReduction,
  { signal }: ReduceOptions,
): Promise<{ readonly steps: readonly Step[]; readonly bytesAfter: number }> {
  const { path, stamp } = session;
  const places = new CutPlaces(cuts.map(({ offset }) => offset));
  const transform = places.follow(reduction.transform);
  const bytesAfter = await measureTransformed(path, transform, { planned: stamp, signal });
  const steps = cuts.flatMap((cut): readonly Step[] => {
    const to = places.find(cut.offset);
    if (to === undefined || to > cut.offset) {
      const message = `${basename(cut.path)} continues from the middle of a line; run coppice validate`;
      throw new FileError(path, 'session-unusable', message);
    }
    return to === cut.offset ? [] : [{ cut, to }];
  });
  return { steps, bytesAfter };
}

/** Describes the changes beside the file itself. */
function explain(
  { reduction: { savings }, counts }: PlannedReduction,
  steps: readonly Step[],
  options: ReduceOptions,
): readonly string[] {
  const reasons: string[] = [];
  const { images, toolOutput } = options;
  const kept =
    images === undefined && toolOutput === undefined ? undefined : findKept(counts, options);
  if (kept) {
    const name = basename(kept.path);
    const how = images === 'extract' || images === 'restore' ? 'use --images drop and ' : '';
    reasons.push(
      `images and outputs that ${name} has of it are kept: ${how}select every file that continues from it`,
    );
  }
  if (savings.length === 0) return reasons;
  if (steps.length > 0) {
    const names = steps.map(({ cut }) => basename(cut.path)).join(', ');
    reasons.push(
      `the first lines of these files get the new byte from which they continue: ${names}`,
    );
  }
  const { positions } = counts;
  if (!positions) return reasons;
  reasons.push(`rows of its database get the new bytes: ${positions.description}`);
  if (savings.some(({ reducer }) => reducer === 'images' || reducer === 'tool-output')) {
    reasons.push(
      'the agent still shows the cut text, from the database: other threads show it, too',
    );
  }
  return reasons;
}

/** Does work on a file while no row says where its lines are; afterwards they say where these are now. */
async function withPositions<T>(
  { read: { session }, dialect, counts: { positions } }: PlannedReduction,
  relatives: Relatives,
  work: () => Promise<T>,
): Promise<T> {
  const { cutting } = dialect;
  if (!positions || !cutting) return work();
  const { path, agent } = session;
  await relatives.changeRows(agent, path, positions, (table) => cutting.unplaced[table]);
  // This is done where the work failed half-way, too: the file is then good, and shorter or not.
  return releaseAfter(work, async () => {
    const places = await readPlaces(path, (line) => cutting.getNumber(line));
    await relatives.changeRows(agent, path, positions, (table, row) =>
      cutting.place(table, row, (number) => places.get(number)),
    );
  });
}

async function readPlaces(
  path: string,
  getNumber: CutDialect['getNumber'],
): Promise<ReadonlyMap<number, LinePlace>> {
  const places = new Map<number, LinePlace>();
  await readLines(path, (line) => {
    const content = parseLine(line);
    const number = content.kind === 'object' ? getNumber(content.value) : undefined;
    if (number !== undefined) places.set(number, { offset: line.offset, end: getEnd(line) });
  });
  return places;
}

/** @throws FileError, `ECHANGED`, where another file than those that are held continues from it. */
async function rewriteInSteps(
  held: ReadonlySet<string>,
  path: string,
  options: ReduceOptions,
): Promise<readonly string[]> {
  for (;;) {
    options.sources?.memory.forget(dirname(path));
    const planned = await planReduction(path, options);
    if ('action' in planned) throw new FileError(path, 'ECHANGED', planned.reasons.join(', '));
    const { steps } = await measure(planned, options);
    const [step] = steps;
    const notices = await rewrite(planned, step, held, options);
    if (!step) return notices;
    for (const { cut, to } of steps) {
      if (cut.offset === step.cut.offset) await moveCut(planned, cut, to, options);
    }
  }
}

/** Rewrites a file up to the place of a step, with spaces before it; without one, to its end. */
async function rewrite(
  planned: PlannedReduction,
  step: Step | undefined,
  held: ReadonlySet<string>,
  options: ReduceOptions,
): Promise<readonly string[]> {
  const { read, counts, reduction, images } = planned;
  const transform: LineTransform = (line) => {
    if (step && line.offset >= step.cut.offset) return undefined;
    const parts = reduction.transform(line);
    if (!step || getEnd(line) !== step.cut.offset) return parts;
    const own = parts ?? [Buffer.from(line.bytes), '\n'];
    return [...own, ...toPadding(step.cut.offset - step.to)];
  };
  const { notices } = await replacePlanned(planned, transform, options, async ({ cuts }) => {
    const isSame = describeCuts(cuts) === describeCuts(counts.cuts);
    if (!isSame || cuts?.every(({ path }) => held.has(path)) !== true) {
      throw continuedSince(read.session.path);
    }
    await images.flush();
    // Files that continue from it may have got their new places from a run that was killed before it flushed them.
    return flush(cuts.map(({ path }) => path));
  });
  return notices;
}

function describeCuts(cuts: readonly Cut[] = []): string {
  return JSON.stringify(cuts.map(({ path, offset }) => [path, offset]));
}

/** Has a file continue from another byte: in its first line, which is as long as it was. */
async function moveCut(
  { read: { session }, dialect: { cutting } }: PlannedReduction,
  { path, offset }: Cut,
  to: number,
  { signal, sources }: ReduceOptions,
): Promise<void> {
  let isSeen = false;
  const transform: LineTransform = (line) => {
    const content = isSeen ? undefined : parseLine(line);
    if (content?.kind !== 'object') return undefined;
    isSeen = true;
    const moved = cutting?.moveCut(line.bytes, content.value, offset, to);
    if (moved?.length === line.length) return [moved, line.terminated ? '\n' : ''];
    throw new FileError(path, 'ECHANGED', 'its first line has changed; try again');
  };
  const beforeCommit = (): Promise<Flushed> => flush([session.path]);
  await replaceFile(path, transform, { planned: readState(path), signal, beforeCommit });
  sources?.memory.forget(path);
}
