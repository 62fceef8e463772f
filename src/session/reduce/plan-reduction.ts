import { basename } from 'node:path';
import type { Entry } from '../model/entry.ts';
import { FileError } from '../../errors.ts';
import { getDialect } from '../agents/index.ts';
import {
  type Counts,
  type Cut,
  describeStaleRows,
  type EntryReducerName,
  type PositionRows,
  type ReductionDialect,
  type StaleRows,
} from '../dialect/reduction.ts';
import type { Value, WholeRow } from '../dialect/surroundings/rows.ts';
import { findFormatObstacle } from '../read/format-obstacle.ts';
import { type Action, type ActionResult, toUnchanged } from '../model/action.ts';
import type { Agent } from '../model/agent.ts';
import type { Session } from '../model/session.ts';
import { hasFolder } from '../dialect/surroundings/sidecars.ts';
import type { ImageFiles } from '../model/text/image-block.ts';
import { listImageHomes } from '../read/image-homes.ts';
import { type RunSources, toLookedAt } from '../read/summaries/looked-at.ts';
import { planLineEdits } from './line-edits.ts';
import { type ReadForest, readForest } from './read-forest.ts';
import { type LineReducers, Reduction, type Saving } from './reduction.ts';

export interface ReduceOptions extends LineReducers {
  readonly entries: readonly EntryReducerName[];
  /**
   * Opens the store for the images of a session; in a preview, one that keeps nothing. `listOthers`: the
   * directories beside its own in which a folder of that name may be.
   */
  readonly openImages: (
    path: string,
    listOthers?: (folder: string) => readonly string[],
  ) => ImageFiles;
  /** Removes rows that count the bytes of a file; absent: files that have some are left. */
  readonly removeRows?:
    | ((agent: Agent, path: string, stale: StaleRows) => Promise<void>)
    | undefined;
  /** Finds out for a preview whether rows in these databases could be changed, and throws a FileError where not. */
  readonly checkRows?:
    | ((agent: Agent, path: string, databases: readonly string[]) => Promise<void>)
    | undefined;
  /** Absent: nothing is read of databases, and what was found about files is not kept for the next session. */
  readonly sources?: RunSources | undefined;
  /** The other files that continue from a file; absent: such files are left unchanged. */
  readonly relatives?: Relatives | undefined;
  readonly apply: boolean;
  readonly signal: AbortSignal;
}

/** The work on files that continue a rewritten one, and on rows. */
export interface Relatives {
  /** Returns the reason why a file must not be changed now; the session `owner` is held already. */
  findUse(owner: Session, path: string): string | undefined;
  /** Returns whether the user wants a file made smaller, too. */
  isSelected(path: string): boolean;
  /** Does work while no one can open these files, beside the session at `owner`. */
  hold<T>(
    agent: Agent,
    owner: string,
    paths: readonly string[],
    work: () => Promise<T>,
  ): Promise<T>;
  /** Writes values into rows of a file; nothing where `change` gives none. */
  changeRows(
    agent: Agent,
    path: string,
    rows: PositionRows,
    change: (table: string, row: WholeRow) => Readonly<Record<string, Value>> | undefined,
  ): Promise<void>;
}

/** The outcome for one session, or the outcome that applying would have. Sizes in bytes. */
export interface ReductionOutcome extends ActionResult {
  readonly action: Extract<
    Action,
    'reduce' | 'restore' | 'compress' | 'decompress' | 'unchanged' | 'skip' | 'fail'
  >;
  readonly savings: readonly Saving[];
  /** The bytes of the images that are now in files beside it. */
  readonly imageBytes?: number;
  /** The images that could not be restored, since their files are missing or changed. */
  readonly missingImages?: number;
}

/** The words for the parts that each reducer takes out. */
const HOLDINGS: Readonly<Record<EntryReducerName, string>> = {
  'abandoned-branches': 'branches',
  summarized: 'compactions that stand for entries of the same file',
  copies: 'copies of requests, or of what a parent was sent',
  'superseded-state': 'state that is written repeatedly',
};

/** Returns the reason why sessions of an agent cannot have all that was asked for; undefined if they can. */
export function findReducerObstacle(
  agent: Agent,
  { entries }: Pick<ReduceOptions, 'entries'>,
): string | undefined {
  const { reduction } = getDialect(agent);
  if (!reduction) return `sessions of ${agent} cannot be made smaller`;
  const lacks = entries.filter((name) => !reduction.entryReducers[name]);
  if (lacks.length === 0) return undefined;
  return `sessions of ${agent} hold no ${lacks.map((name) => HOLDINGS[name]).join(' and no ')}`;
}

/** The plan for one file. */
export interface PlannedReduction {
  readonly read: ReadForest;
  readonly dialect: ReductionDialect;
  readonly counts: Counts;
  readonly reduction: Reduction;
  readonly images: ImageFiles;
  /** The entries that remain. */
  readonly left: readonly Entry[];
}

/**
 * Reads a session and decides what becomes of its lines; the outcome where nothing may.
 * @throws FileError if it cannot be read, or sessions of its agent have nothing of what is to go.
 */
export async function planReduction(
  path: string,
  options: ReduceOptions,
): Promise<PlannedReduction | ReductionOutcome> {
  const read = await readForest(path);
  const { size } = read.session.stamp;
  const obstacle = findReducerObstacle(read.dialect.agent, options);
  if (obstacle !== undefined) throw new FileError(path, 'not-supported', obstacle);
  const refusal = findRefusal(read, options);
  const { reduction: dialect } = read.dialect;
  if (refusal !== undefined || !dialect) {
    return toSkipped(path, size, refusal ?? 'nothing can be removed from its files');
  }
  const counts = (await dialect.findCounts?.(read.session, toLookedAt(options.sources))) ?? {};
  const hindrance = findHindrance(counts, options);
  if (hindrance !== undefined) return toSkipped(path, size, hindrance);
  const cuts = counts.cuts?.map(({ offset }) => offset);
  const edits = planLineEdits(read.session, dialect, options.entries, cuts);
  const harm = dialect.findHarm?.(read.session, edits.left);
  if (harm !== undefined) return toSkipped(path, size, harm);
  const { sidecars } = read.dialect;
  const images = options.openImages(path, (folder) =>
    listImageHomes(read.session, sidecars, folder),
  );
  const id = read.dialect.reading.getSessionId(read.session) ?? '';
  const isMade = sidecars?.isMade(path, id) === true;
  if (options.images === 'extract' && !images.ownsFolder(isMade)) {
    return toSkipped(
      path,
      size,
      'the directory beside it, in which its images would be, may not belong to it',
    );
  }
  const reducers = { ...options, keepsUpTo: findKept(counts, options)?.offset };
  const reduction = new Reduction(dialect, read.session.entries, edits, reducers, images);
  return { read, dialect, counts, reduction, images, left: edits.left };
}

function findRefusal(
  { session, dialect, damage }: ReadForest,
  { entries, images }: ReduceOptions,
): string | undefined {
  const { path, formatVersion } = session;
  if (dialect.reading.getSessionId(session) === undefined)
    return 'has no header; run coppice validate';
  const { currentVersion } = dialect;
  const { oldestVersion = currentVersion } = dialect.reduction ?? {};
  const obstacle = findFormatObstacle({ path, formatVersion, oldestVersion, currentVersion });
  if (obstacle !== undefined) return obstacle;
  if (images === 'extract' && dialect.sidecars && !hasFolder(path, dialect.sidecars)) {
    return 'by its name, no folder beside it is its own, in which images could be';
  }
  if (entries.length === 0 || damage === undefined) return undefined;
  return `${damage}: nothing is removed from a damaged session; see coppice validate`;
}

/** Returns the reason why a file that others depend on is skipped. */
function findHindrance(
  { obstacle, stale, cuts = [] }: Counts,
  { removeRows, relatives }: ReduceOptions,
): string | undefined {
  if (obstacle !== undefined) return obstacle;
  const [cut] = cuts;
  if (cut && !relatives) return `${basename(cut.path)} continues from a byte of it`;
  return stale && !removeRows ? 'rows in the database of its agent count its bytes' : undefined;
}

/**
 * The last place up to which another file, or one that continues from that, was not selected. Images that can
 * be restored would find no room there: a place at which others continue only ever moves to the front.
 */
export function findKept(
  { cuts = [] }: Counts,
  { relatives, images }: Pick<ReduceOptions, 'relatives' | 'images'>,
): Cut | undefined {
  if (images === 'extract' || images === 'restore') return cuts.at(-1);
  const isSelected = (path: string): boolean => relatives?.isSelected(path) === true;
  return cuts.findLast(({ path, heirs }) => ![path, ...heirs].every(isSelected));
}

export function toSkipped(path: string, size: number, reason: string): ReductionOutcome {
  return { ...toUnchanged({ path, size }, 'skip', [reason]), savings: [] };
}

export function describe(
  { read, counts: { stale }, reduction }: PlannedReduction,
  bytesAfter: number,
  { images }: ReduceOptions,
): ReductionOutcome {
  const { path, stamp } = read.session;
  const { savings, missing, notice, imageBytes } = reduction;
  const bytesBefore = stamp.size;
  const lost = missing > 0 ? [describeMissingImages(missing)] : [];
  const isChanged = savings.length > 0;
  const hasImages = savings.some(({ reducer }) => reducer === 'images');
  // Other reducers may have changed a session that had no images to restore.
  const done = images === 'restore' && (hasImages || !isChanged) ? 'restore' : 'reduce';
  const action = isChanged ? done : lost.length > 0 ? 'fail' : 'unchanged';
  const reasons = [...savings.map(toReason), ...lost];
  if (reasons.length === 0) reasons.push(`nothing to ${done}`);
  if (notice !== undefined) reasons.push(notice);
  if (isChanged && stale) reasons.push(describeStaleRows(stale));
  if (action === 'restore') reasons.push('its image files are kept');
  return {
    path,
    action,
    reasons,
    bytesBefore,
    bytesAfter,
    savings,
    ...(imageBytes > 0 && { imageBytes }),
    ...(missing > 0 && { missingImages: missing }),
  };
}

export function describeMissingImages(count: number): string {
  return `${count} of its image files ${count === 1 ? 'is' : 'are'} missing or changed`;
}

export function addReasons(
  outcome: ReductionOutcome,
  reasons: readonly string[],
): ReductionOutcome {
  return reasons.length === 0 ? outcome : { ...outcome, reasons: [...outcome.reasons, ...reasons] };
}

const WORDS = {
  padding: ['line of spaces', 'lines of spaces'],
  copies: ['copied line', 'copied lines'],
  images: ['image', 'images'],
  'tool-output': ['output cut', 'outputs cut'],
  'superseded-state': ['superseded snapshot', 'superseded snapshots'],
  'abandoned-branches': ['entry of abandoned branches', 'entries of abandoned branches'],
  summarized: ['summarized entry', 'summarized entries'],
} as const;

function toReason({ reducer, count }: Saving): string {
  const [one, many] = WORDS[reducer];
  return `${count} ${count === 1 ? one : many}`;
}
