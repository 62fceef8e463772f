import { FileError } from '../../errors.ts';
import type { Action } from '../model/action.ts';
import type { Agent } from '../model/agent.ts';
import { getDialect } from '../agents/index.ts';
import { releaseAfter } from '../jsonl/files/release-after.ts';
import { type Replaced, replaceFile } from '../jsonl/write/replace-file.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import type { ImageFiles } from '../model/text/image-block.ts';
import { isCompressed } from '../jsonl/zstd/is-compressed.ts';
import type { ReadTables } from '../dialect/records.ts';
import { toLookedAt } from '../read/looked-at.ts';
import { planLineEdits } from './line-edits.ts';
import { type ReadForest, readForest } from './read-forest.ts';
import type { Counts, EntryReducerName, StaleRows } from '../dialect/reduction.ts';
import { type LineReducers, Reduction, type Saving } from './reduction.ts';

export interface ReduceOptions extends LineReducers {
  readonly entries: readonly EntryReducerName[];
  /** Where the images of a session go; for a preview, one that keeps nothing. */
  readonly openImages: (path: string) => ImageFiles;
  /** Removes rows that count the bytes of a file; absent: files that have some are left. */
  readonly removeRows?:
    | ((agent: Agent, path: string, stale: StaleRows) => Promise<void>)
    | undefined;
  /** For what agents keep in databases; nothing of it is read unless given. */
  readonly readTables?: ReadTables | undefined;
  readonly apply: boolean;
  readonly signal: AbortSignal;
}

/** What became of one session, or would become of it. Sizes in bytes. */
export interface ReductionOutcome {
  readonly path: string;
  readonly action: Extract<
    Action,
    'reduce' | 'restore' | 'compress' | 'decompress' | 'unchanged' | 'skip' | 'fail'
  >;
  readonly reasons: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly savings: readonly Saving[];
}

/** What sessions hold that a reducer takes out, in words. */
const HOLDINGS: Readonly<Record<EntryReducerName, string>> = {
  'abandoned-branches': 'branches',
  summarized: 'compactions that stand for entries of the same file',
  copies: 'copies of requests',
  'superseded-state': 'state that is written again and again',
};

/** Why sessions of an agent have nothing that these reducers could take out; undefined if they may. */
export function findReducerObstacle(
  agent: Agent,
  { entries, images, toolOutput }: Pick<ReduceOptions, 'entries' | 'images' | 'toolOutput'>,
): string | undefined {
  const { reduction } = getDialect(agent);
  if (!reduction) return `sessions of ${agent} cannot be made smaller`;
  if (images !== undefined || toolOutput !== undefined) return undefined;
  const lacks = entries.filter((name) => !reduction.entryReducers[name]);
  if (lacks.length === 0 || lacks.length < entries.length) return undefined;
  return `sessions of ${agent} hold no ${lacks.map((name) => HOLDINGS[name]).join(' and no ')}`;
}

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
  const read = await readForest(path);
  const { size } = read.session.stamp;
  const obstacle = findReducerObstacle(read.dialect.agent, options);
  if (obstacle !== undefined) throw new FileError(path, 'not-supported', obstacle);
  const refusal = findRefusal(read, options);
  const { reduction: dialect } = read.dialect;
  if (refusal !== undefined || !dialect) {
    return leave(path, size, refusal ?? 'nothing can be taken out of its files');
  }
  const { entries } = read.session;
  const edits = planLineEdits(read.session, dialect, options.entries);
  const harm = dialect.findHarm?.(read.session, edits.left);
  if (harm !== undefined) return leave(path, size, harm);
  const counts = (await dialect.findCounts?.(read.session, toLookedAt(options))) ?? {};
  const hindrance = findHindrance(counts, options);
  if (hindrance !== undefined) return leave(path, size, hindrance);
  const images = options.openImages(path);
  const reduction = new Reduction(dialect, entries, edits, options, images);
  try {
    if (!options.apply) {
      const bytesAfter = await measure(read, reduction, options);
      return describe(path, size, bytesAfter, reduction, options);
    }
    const { bytesAfter, notices } = await rewrite(read, reduction, { images, counts }, options);
    const outcome = describe(path, size, bytesAfter, reduction, options);
    return { ...outcome, reasons: [...outcome.reasons, ...notices] };
  } catch (error) {
    if (error instanceof FileError && error.code === 'ECHANGED') {
      return leave(path, size, error.message);
    }
    throw error;
  }
}

function findRefusal(
  { session, dialect, damage }: ReadForest,
  { entries }: ReduceOptions,
): string | undefined {
  const { formatVersion } = session;
  if (dialect.reading.getSessionId(session) === undefined) return 'has no header: coppice validate';
  if (isCompressed(session.path)) return 'is compressed: coppice compact --decompress first';
  const { oldestVersion = dialect.currentVersion } = dialect.reduction ?? {};
  if (formatVersion < oldestVersion) return 'is in an old format: coppice migrate first';
  if (formatVersion > dialect.currentVersion) return 'is of an unknown format: left unchanged';
  if (entries.length === 0 || damage === undefined) return undefined;
  return `${damage}: what can go is not sure before coppice validate is clean`;
}

/** Why nothing is done to a file that others count on. */
function findHindrance(
  { obstacle, stale }: Counts,
  { removeRows }: ReduceOptions,
): string | undefined {
  if (obstacle !== undefined) return obstacle;
  return stale && !removeRows ? 'its agent has rows in a database that count its bytes' : undefined;
}

function leave(path: string, size: number, reason: string): ReductionOutcome {
  const sizes = { bytesBefore: size, bytesAfter: size };
  return { path, action: 'skip', reasons: [reason], ...sizes, savings: [] };
}

async function rewrite(
  { session: { path, stamp, agent } }: ReadForest,
  reduction: Reduction,
  { images, counts: { stale } }: { readonly images: ImageFiles; readonly counts: Counts },
  { removeRows, signal }: ReduceOptions,
): Promise<Replaced> {
  let isCommitted = false;
  const replace = (): Promise<Replaced> =>
    replaceFile(path, (line) => reduction.transform(line), {
      planned: stamp,
      signal,
      // Before, so that a run that is killed leaves rows that are missing, and none that are wrong.
      beforeCommit: async () => {
        if (stale) await removeRows?.(agent, path, stale);
        return images.flush();
      },
      onCommit: () => (isCommitted = true),
    });
  return releaseAfter(replace, () => {
    // Not before: the new file must never name an image that is gone.
    if (!isCommitted) images.discard();
  });
}

function measure(
  { session: { path, stamp } }: ReadForest,
  reduction: Reduction,
  { signal }: ReduceOptions,
): Promise<number> {
  const options = { planned: stamp, signal };
  return measureTransformed(path, (line) => reduction.transform(line), options);
}

function describe(
  path: string,
  bytesBefore: number,
  bytesAfter: number,
  { savings, missing, notice }: Reduction,
  { images }: ReduceOptions,
): ReductionOutcome {
  const lost = missing > 0 ? [`${missing} of its image files are missing or changed`] : [];
  const isChanged = savings.length > 0;
  const done = images === 'restore' ? 'restore' : 'reduce';
  const action = isChanged ? done : lost.length > 0 ? 'fail' : 'unchanged';
  const reasons = [...savings.map(toReason), ...lost];
  if (reasons.length === 0) reasons.push(`nothing to ${done}`);
  if (notice !== undefined) reasons.push(notice);
  if (action === 'restore') reasons.push('the files of its images are kept');
  return { path, action, reasons, bytesBefore, bytesAfter, savings };
}

const WORDS = {
  copies: ['copy of a request', 'copies of requests'],
  images: ['image', 'images'],
  'tool-output': ['output cut', 'outputs cut'],
  'superseded-state': ['superseded snapshot', 'superseded snapshots'],
  'abandoned-branches': ['entry of abandoned branches', 'entries of abandoned branches'],
  summarized: ['summarised entry', 'summarised entries'],
} as const;

function toReason({ reducer, count }: Saving): string {
  const [one, many] = WORDS[reducer];
  return `${count} ${count === 1 ? one : many}`;
}
