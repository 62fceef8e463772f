import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import { type Holder, NOT_HELD } from '../../session/model/in-use.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { getParentPath } from '../../session/model/tree/parents.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { getActivity, getLatest, getLatestUse } from '../../session/read/summaries/unread.ts';
import { findStore } from '../find/roots.ts';
import { isTrashed } from '../remove/trash.ts';
import type { FoundFile } from '../select/found-file.ts';
import { createDetourFinder, type DescribeDetour, findHolder } from '../sessions/find-use.ts';
import type { StampedFile } from '../sessions/file-tree.ts';
import { listCounted, type SessionFiles } from '../sessions/session-files.ts';
import { type Judgement, judgeSessions, type PruneSelection } from './judge.ts';
import { toPrunableUnits } from '../sessions/units/read-units.ts';
import { orObstacle, type Seen } from '../sessions/units/seen.ts';
import type { FoundPrunable, Link, PrunableUnit, ReadSessions } from '../sessions/units/unit.ts';
import { createFamilyFinder } from './relations/families.ts';
import { findParent, nameParents } from './relations/parents.ts';
import { addBeside, countParts, findParts } from './relations/parts.ts';
import { SessionPaths } from './relations/session-paths.ts';
import { isBelow, NO_PATHS } from '../../session/model/paths.ts';

/** A session that the policy judges, or that only bears witness to a lineage. */
export interface FoundCandidate {
  readonly candidate: Candidate;
  /** Undefined where the policy cannot touch it anyway. */
  readonly files: SessionFiles | undefined;
  /** It is among the targets, and not only in the same store. */
  readonly isTarget: boolean;
  /** The paths of all of its session files. */
  readonly members: readonly string[];
  /** The files of them that others may continue from, or that continue from others. */
  readonly links: readonly Link[];
  /** The errors that are the obstacle to removing it. */
  readonly failures?: readonly FileError[] | undefined;
}

/** The terms that decide about the facts of candidates; `now` in milliseconds. */
interface CandidateTerms {
  readonly selection: PruneSelection;
  readonly world: AgentWorld;
  readonly now: number;
}

/** Asks the selectors, and gathers what the policy needs to know. */
export async function toCandidates(
  sessions: ReadSessions,
  { selection, world, now }: CandidateTerms,
): Promise<readonly FoundCandidate[]> {
  const { stores, named = [] } = sessions;
  const read = nameParents(sessions.read);
  const superseded = findSuperseded(read.flatMap(({ summary }) => summary ?? []));
  const units = await toPrunableUnits({ ...sessions, read }, world);
  const paths = new SessionPaths(read.map(({ file }) => file));
  const all = addBeside(
    units.map(({ whole }) => whole),
    paths,
  );
  const targets = all.filter(({ isTarget, file }) => isTarget && !superseded.has(file.path));
  const judged = await judgeSessions(
    targets.flatMap(({ summary }) => summary ?? []),
    selection,
    world,
  );
  const facts = {
    known: new Set(read.map(({ file }) => file.path)),
    paths,
    judged,
    familyOf: createFamilyFinder(units, sessions.survey),
    storesOf: createStoreFinder(stores),
    findDetour: createDetourFinder(world),
    world,
  };
  const found = units.map((unit): FoundCandidate => {
    const { whole, members, links, failures = [] } = unit;
    const { files, isTarget } = whole;
    const held = findHolderOf(unit, facts);
    const candidate = toCandidate(unit, held, facts);
    const failed = held.failure ? [...failures, held.failure] : failures;
    return { candidate, files, isTarget, members, links, failures: failed };
  });
  return countParts(found, { now, named });
}

/** The facts about all sessions. */
interface CommonFacts {
  /** The paths of all files that were read. */
  readonly known: ReadonlySet<string>;
  readonly paths: SessionPaths;
  readonly judged: ReadonlyMap<string, Judgement>;
  readonly familyOf: (unit: PrunableUnit) => string;
  readonly storesOf: (path: string) => Candidate['stores'];
  readonly findDetour: DescribeDetour;
  readonly world: AgentWorld;
}

/**
 * A session of several files does not count any of them for itself. Members are named one by one: for each object
 * that gets some after a spread, V8 makes a class.
 */
function toCandidate(unit: PrunableUnit, held: Held, facts: CommonFacts): Candidate {
  const { known, paths, judged, familyOf, storesOf } = facts;
  const { whole, members, ids, needs, recorded, pin } = unit;
  const { file, summary, files } = whole;
  const { bytes, shared } = sumUp(whole, members.length > 1 ? NO_PATHS : paths);
  const { agent = null, id = '', cwd = '', name = null, labelCount = 0 } = summary ?? {};
  const { modified, latest, latestUse } = toTimes(summary);
  return {
    path: file.path,
    stores: storesOf(file.path),
    agent,
    id,
    cwd,
    name,
    labelCount,
    title: name ?? summary?.firstMessage ?? '',
    modified,
    latest,
    latestUse,
    parentSessionPath: findOwnParent(summary, known),
    otherParents: summary?.otherParents?.map((path) => findParent(path, known)),
    possibleForks: summary?.possibleForks,
    unread: summary?.unread ?? NOTHING_UNREAD,
    fileModified: findLastWrite(files),
    bytes,
    shared,
    selected: judged.get(file.path)?.selected ?? false,
    unjudged: judged.get(file.path)?.unjudged,
    parts: findParts(files, paths),
    file: toFileKey(files?.files[0]),
    holder: held.holder,
    ids,
    needs,
    family: familyOf(unit),
    hasNamedPart: recorded?.some((part) => part.name !== null),
    recorded,
    pin,
    obstacle: held.obstacle,
  };
}

function findOwnParent(
  summary: SessionSummary | undefined,
  known: ReadonlySet<string>,
): string | null {
  const parent = summary ? getParentPath(summary) : null;
  return parent === null ? null : findParent(parent, known);
}

type Held = Seen<{ readonly holder: Holder }>;

/** Finds who has a session open, and the path by which its agent finds it; an obstacle where that is not known. */
function findHolderOf(
  { whole: { file, summary, obstacle }, holder }: PrunableUnit,
  { findDetour, world }: CommonFacts,
): Held {
  const found = orObstacle({ holder: NOT_HELD }, () => ({
    holder: holder ?? (summary ? findHolder(summary.agent, file.path, world) : NOT_HELD),
    obstacle: obstacle ?? (summary && (findDetour(summary.agent, file) ?? describeTrashed(file))),
  }));
  return { ...found, obstacle: obstacle ?? found.obstacle };
}

/** A file in a trash can be restored only as it was put there. */
function describeTrashed({ path }: FoundFile): string | undefined {
  return isTrashed(path) ? 'is in a trash' : undefined;
}

/** Converts the times of a session to numbers, each text once. */
function toTimes(
  summary: SessionSummary | undefined,
): Pick<Candidate, 'modified' | 'latest'> & { readonly latestUse: number } {
  if (!summary) return { modified: 0, latest: 0, latestUse: 0 };
  const modified = getActivity(summary);
  const latest = getLatest(summary, modified);
  return { modified, latest, latestUse: getLatestUse(summary, latest) };
}

/** Finds the stores of a session file, once for each directory. */
function createStoreFinder(stores: readonly string[]): CommonFacts['storesOf'] {
  const known = new Map<string, Candidate['stores']>();
  return (path) => {
    const directory = dirname(path);
    const found = known.get(directory) ?? findStores(path, new Set(stores));
    known.set(directory, found);
    return found;
  };
}

function findStores(path: string, stores: ReadonlySet<string>): Candidate['stores'] {
  const outermost = findStore(path, [...stores]);
  return [outermost, ...[...stores].filter((one) => one !== outermost && isBelow(path, one))];
}

/** Finds when a file or a directory was last written: an empty directory may be all that shows a use. */
function findLastWrite(files: SessionFiles | undefined): number {
  let latest = 0;
  for (const { mtimeMs } of files?.files ?? []) latest = Math.max(latest, mtimeMs);
  for (const { mtimeMs } of files?.directories ?? []) latest = Math.max(latest, mtimeMs);
  return latest;
}

/** The bytes of a session, but for those of `sessions`, which count themselves. */
function sumUp(
  { files, summary }: FoundPrunable,
  sessions: Pick<ReadonlySet<string>, 'has'>,
): Pick<Candidate, 'bytes' | 'shared'> {
  if (!files) return { bytes: summary?.size ?? 0 };
  const counted = listCounted(files, sessions);
  const shared = counted.flatMap((one) => {
    const file = toFileKey(one);
    return file === undefined ? [] : [{ file, bytes: one.size, links: one.links }];
  });
  return { bytes: counted.reduce((sum, { size }) => sum + size, 0), shared };
}

/** Names of one file take one place among the last, and one in a budget. */
function toFileKey(file: StampedFile | undefined): string | undefined {
  return file && file.links > 1 ? `${file.dev}:${file.ino}` : undefined;
}

const NOTHING_UNREAD = { lines: 0, entries: 0 };

export function listCandidates(found: readonly FoundCandidate[]): readonly Candidate[] {
  return found.map(({ candidate }) => candidate);
}
