import { dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { type Holder, NOT_HELD } from '../../session/model/in-use.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/environment.ts';
import { listOtherCwds, type SessionSummary } from '../../session/model/summary.ts';
import { getDialect } from '../../session/agents/index.ts';
import { getParentPath, toParentKey } from '../../session/model/tree/lineage.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';
import { nameCopies } from '../../session/model/tree/copies.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import {
  describeUnread,
  getActivity,
  getLatest,
  getLatestUse,
} from '../../session/read/summaries/unread.ts';
import { findStore } from '../find/roots.ts';
import { createDetourFinder, type DescribeDetour, findHolder } from '../sessions/find-use.ts';
import { getRealPath, orPath } from '../files/stat-file.ts';
import { findHeldIn } from '../sessions/sidecars/held-in.ts';
import type { Survey } from '../sessions/sidecars/survey.ts';
import type { StampedFile } from '../sessions/file-tree.ts';
import { listCounted, type SessionFiles } from '../sessions/session-files.ts';
import { type Judgement, judgeSessions, type PruneSelection } from './judge.ts';
import {
  describeUnseen,
  type FoundPrunable,
  type Link,
  type PrunableUnit,
  type ReadSessions,
  toPrunableUnits,
} from '../sessions/units.ts';

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

export const NONE: ReadonlySet<string> = new Set();

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
  const { stores } = sessions;
  const read = nameParents(sessions.read);
  const superseded = findSuperseded(read.flatMap(({ summary }) => summary ?? []));
  const units = await toPrunableUnits({ ...sessions, read }, world);
  const current = units.flatMap(({ whole }) => (superseded.has(whole.file.path) ? [] : [whole]));
  const targets = addBeside(current).filter(({ isTarget }) => isTarget);
  const judged = await judgeSessions(
    targets.flatMap(({ summary }) => summary ?? []),
    selection,
    world,
  );
  const facts = {
    known: new Set(read.map(({ file }) => file.path)),
    judged,
    familyOf: createFamilyFinder(units, sessions.survey),
    storeOf: createStoreFinder(stores),
    findDetour: createDetourFinder(world),
    world,
  };
  const found = units.map((unit): FoundCandidate => {
    const { whole, members, links, failures = [] } = unit;
    const { files, isTarget } = whole;
    const use = findUse(unit, facts);
    const candidate = toCandidate(unit, use, facts);
    const failed = use.failure ? [...failures, use.failure] : failures;
    return { candidate, files, isTarget, members, links, failures: failed };
  });
  return countParts(found, now);
}

/**
 * Lets a session be as active as the latest of the sessions in its folder, such as its sub-agents. A time in the future
 * gives no place among the last.
 */
function countParts(found: readonly FoundCandidate[], now: number): readonly FoundCandidate[] {
  if (found.every(({ candidate: { parts } }) => (parts?.size ?? 0) === 0)) return found;
  const times = new Map(found.map(({ candidate }) => [candidate.path, candidate.modified]));
  return found.map((one) => {
    const { candidate } = one;
    const all = Array.from(candidate.parts ?? NONE, (path) => times.get(path) ?? 0);
    const latest = all.filter((time) => time <= now).reduce((a, b) => Math.max(a, b), 0);
    return latest <= candidate.modified
      ? one
      : { ...one, candidate: { ...candidate, modified: latest } };
  });
}

/** The facts about all sessions. */
interface CommonFacts {
  /** The paths of all files that were read. */
  readonly known: ReadonlySet<string>;
  readonly judged: ReadonlyMap<string, Judgement>;
  readonly familyOf: (unit: PrunableUnit) => string;
  readonly storeOf: (path: string) => string;
  readonly findDetour: DescribeDetour;
  readonly world: AgentWorld;
}

function toCandidate(unit: PrunableUnit, use: Use, facts: CommonFacts): Candidate {
  const { known, judged, familyOf, storeOf } = facts;
  const { whole, members, ids, needs, recorded, pin } = unit;
  const { file, summary, files } = whole;
  // A session of several files does not count any of them for itself.
  const { bytes, shared } = sumUp(whole, members.length > 1 ? NONE : known);
  const { agent = null, id = '', cwd = '', name = null, labelCount = 0 } = summary ?? {};
  const parent = summary ? getParentPath(summary) : null;
  const { modified, latest, latestUse } = toTimes(summary);
  // Named one by one: for each object that gets members after a spread, V8 makes a class.
  return {
    path: file.path,
    store: storeOf(file.path),
    agent,
    id,
    cwd,
    name,
    labelCount,
    title: name ?? summary?.firstMessage ?? '',
    modified,
    latest,
    latestUse,
    parentSessionPath: parent === null ? null : findParent(parent, known),
    otherParents: summary?.otherParents?.map((path) => findParent(path, known)),
    unread: summary?.unread ?? NOTHING_UNREAD,
    fileModified: findLastWrite(files),
    bytes,
    shared,
    selected: judged.get(file.path)?.selected ?? false,
    unjudged: judged.get(file.path)?.unjudged,
    parts: findParts(files, known),
    file: toFileKey(files?.files[0]),
    holder: use.holder,
    ids,
    needs,
    family: familyOf(unit),
    hasNamedPart: recorded?.some((part) => part.name !== null),
    recorded,
    pin,
    obstacle: use.obstacle,
  };
}

/** Finds the sessions among the files of one. */
function findParts(
  files: SessionFiles | undefined,
  known: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (!files || files.files.length < 2) return files && NONE;
  const [, ...beside] = files.files.map(({ name }) => join(files.root, name));
  return new Set(beside.filter((path) => known.has(path)));
}

interface Use extends Pick<Candidate, 'obstacle'> {
  readonly holder: Holder;
  readonly failure?: FileError;
}

/** Finds who has a session open, and the path by which its agent finds it; an obstacle where that is not known. */
function findUse(
  { whole: { file, summary, obstacle }, holder }: PrunableUnit,
  { findDetour, world }: CommonFacts,
): Use {
  try {
    return {
      holder: holder ?? (summary ? findHolder(summary.agent, file.path, world) : NOT_HELD),
      obstacle: obstacle ?? (summary && findDetour(summary.agent, file)),
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { holder: NOT_HELD, obstacle: obstacle ?? describeUnseen(error), failure: error };
  }
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

/** Finds the store of a session file, once for each directory. */
function createStoreFinder(stores: readonly string[]): (path: string) => string {
  const known = new Map<string, string>();
  return (path) => {
    const directory = dirname(path);
    const store = known.get(directory) ?? findStore(path, stores);
    known.set(directory, store);
    return store;
  };
}

/** Finds when a file or a directory was last written: an empty directory may be all that shows a use. */
function findLastWrite(files: SessionFiles | undefined): number {
  let latest = 0;
  for (const { mtimeMs } of files?.files ?? []) latest = Math.max(latest, mtimeMs);
  for (const { mtimeMs } of files?.directories ?? []) latest = Math.max(latest, mtimeMs);
  return latest;
}

/**
 * Finds the family of a unit. A session and those that it cannot be opened without are for one shard: what it
 * continues from is removed after it, and only if it was. So are the files of one session that share sidecars.
 */
function createFamilyFinder(
  units: readonly PrunableUnit[],
  survey: Survey,
): (unit: PrunableUnit) => string {
  const copies = findCopies(units, survey);
  const needed = new Set(units.flatMap(({ needs }) => needs));
  const some = units.filter(({ whole }) => needed.has(whole.file.path));
  const byPath = new Map(some.map((unit) => [unit.whole.file.path, unit]));
  const findFirst = (unit: PrunableUnit): PrunableUnit => {
    const seen = new Set<PrunableUnit>();
    let first = unit;
    for (let at: PrunableUnit | undefined = unit; at && !seen.has(at);) {
      seen.add(at);
      first = at;
      at = byPath.get(at.needs[0] ?? '');
    }
    return first;
  };
  return (unit) => {
    const { family, whole } = unit.needs.length === 0 ? unit : findFirst(unit);
    return family ?? copies.get(whole.file.path) ?? whole.file.path;
  };
}

/** Finds the first path among the files that share sidecars with each of some sessions, by their paths. */
function findCopies(units: readonly PrunableUnit[], survey: Survey): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { whole } of units) {
    const { file, summary } = whole;
    const place = summary && findHeldIn(summary);
    const others = (place && survey.listOthers(place.root, place.heldIn, file.path)) ?? [];
    if (others.length === 0) continue;
    const all = [file.path, ...others];
    const first = all.reduce((a, b) => (a < b ? a : b));
    for (const path of all) found.set(path, first);
  }
  return found;
}

/**
 * Counts the work in sidecars for their session, which then is not empty, and the prompts and the directories of
 * sessions among them, such as its sub-agents. Images, rejected lines and logs of unknown agents count as work; so does work that was not
 * read.
 */
function addBeside(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
  if (read.every(({ files }) => (files?.files.length ?? 0) < 2)) return read;
  const isWorking = (one: SessionSummary): boolean =>
    one.workCount > 0 || describeUnread(one, 'entries') !== undefined;
  const idle = new Set(
    read.flatMap(({ file, summary }) => (summary && !isWorking(summary) ? [file.path] : [])),
  );
  const byPath = new Map(read.map(({ file, summary }) => [file.path, summary]));
  return read.map((one) => {
    const { summary, files } = one;
    if (!summary || !files) return one;
    const [, ...beside] = files.files.map(({ name }) => join(files.root, name));
    if (beside.length === 0) return one;
    const work = beside.filter((path) => !idle.has(path)).length;
    const parts = beside.flatMap((path) => byPath.get(path) ?? []);
    const workCount = summary.workCount + work;
    const userMessageCount = [summary, ...parts].reduce(
      (sum, part) => sum + part.userMessageCount,
      0,
    );
    const counts = { workCount, userMessageCount };
    return { ...one, summary: { ...summary, ...counts, ...listDirectories(summary, parts) } };
  });
}

/** The directories of a session besides its own, and those of its parts. */
function listDirectories(
  session: SessionSummary,
  parts: readonly SessionSummary[],
): Pick<SessionSummary, 'otherCwds'> {
  const all = [session, ...parts].flatMap(({ cwd, otherCwds = [] }) => [cwd, ...otherCwds]);
  return listOtherCwds(session.cwd, all);
}

/** Parents that the lines of copies show, and all that have the id of one. */
function nameParents(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
  const summaries = read.flatMap(({ summary }) => summary ?? []);
  const parents = nameTwins(nameCopies(summaries));
  if (parents === summaries) return read;
  const named = new Map(parents.map((one, index) => [summaries[index], one]));
  return read.map((one) => {
    const summary = one.summary && named.get(one.summary);
    return summary && summary !== one.summary ? { ...one, summary } : one;
  });
}

/**
 * Adds to the parents of forks the other sessions of the same id, where forks name no more than that: the lines may be
 * from any of them, such as the one in a project that has moved.
 */
function nameTwins(summaries: readonly SessionSummary[]): readonly SessionSummary[] {
  const namesIds = ({ agent }: SessionSummary): boolean =>
    getDialect(agent).places.namesParentsById === true;
  const listParents = ({ parentSessionPath, otherParents = [] }: SessionSummary) =>
    parentSessionPath === null ? otherParents : [parentSessionPath, ...otherParents];
  if (!summaries.some((one) => namesIds(one) && listParents(one).length > 0)) return summaries;
  const byId = groupBy(
    summaries.filter(namesIds),
    ({ agent, id }) => `${agent}:${toParentKey(id)}`,
  );
  return summaries.map((one) => {
    const parents = namesIds(one) ? listParents(one) : [];
    if (parents.length === 0) return one;
    const twins = parents.flatMap((path) => byId.get(`${one.agent}:${toParentKey(path)}`) ?? []);
    const all = new Set([...parents, ...twins.map(({ path }) => path)]);
    all.delete(one.path);
    if (all.size === parents.length) return one;
    const [parentSessionPath = null, ...otherParents] = all;
    return { ...one, parentSessionPath, otherParents };
  });
}

/** The bytes of a session, but for those of `sessions`, which count themselves. */
function sumUp(
  { files, summary }: FoundPrunable,
  sessions: ReadonlySet<string>,
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

/** The session that one is a fork of; where none was read by that path, it may be a link to one. */
function findParent(path: string, known: ReadonlySet<string>): string {
  return known.has(path) ? path : orPath(getRealPath, path);
}

const NOTHING_UNREAD = { lines: 0, entries: 0 };

export function toBare(found: readonly FoundCandidate[]): readonly Candidate[] {
  return found.map(({ candidate }) => candidate);
}
