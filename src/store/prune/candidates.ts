import { join } from 'node:path';
import type { FileError } from '../../errors.ts';
import { NOT_HELD } from '../../session/model/in-use.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/environment.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { getParentPath } from '../../session/model/tree/lineage.ts';
import { nameCopies } from '../../session/model/tree/copies.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { describeUnread, getActivity, getLatest } from '../../session/read/summaries/unread.ts';
import { findStore } from '../find/roots.ts';
import { describeDetour, findHolder } from '../sessions/find-use.ts';
import { getRealPath } from '../files/stat-file.ts';
import type { StampedFile } from '../sessions/file-tree.ts';
import { listCounted, type SessionFiles } from '../sessions/session-files.ts';
import { judgeSessions, type PruneSelection } from './judge.ts';
import {
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

/** Asks the selectors, and gathers what the policy needs to know. */
export async function toCandidates(
  sessions: ReadSessions,
  selection: PruneSelection,
  world: AgentWorld,
): Promise<readonly FoundCandidate[]> {
  const { stores } = sessions;
  const read = nameParents(sessions.read);
  const superseded = findSuperseded(read.flatMap(({ summary }) => summary ?? []));
  const units = await toPrunableUnits({ ...sessions, read }, world);
  const current = units.flatMap(({ whole }) => (superseded.has(whole.file.path) ? [] : [whole]));
  const targets = addWorkBeside(current).filter(({ isTarget }) => isTarget);
  const judged = await judgeSessions(
    targets.flatMap(({ summary }) => summary ?? []),
    selection,
  );
  const known = new Set(read.map(({ file }) => file.path));
  const families = findFamilies(units);
  return units.map(({ whole, members, links, ids, needs, hasNamedPart, pin, holder, failures }) => {
    const { file, summary, files, obstacle, isTarget } = whole;
    const times = files?.files.map(({ mtimeMs }) => mtimeMs) ?? [0];
    const facts = {
      path: file.path,
      store: findStore(file.path, stores),
      fileModified: times.reduce((latest, time) => Math.max(latest, time), 0),
      // A session of several files does not count any of them for itself.
      ...sumUp(whole, members.length > 1 ? NONE : known),
      selected: judged.get(file.path)?.selected ?? false,
      unjudged: judged.get(file.path)?.unjudged,
      file: toFileKey(files?.files[0]),
      holder: holder ?? (summary ? findHolder(summary.agent, file.path, world) : NOT_HELD),
      ids,
      needs,
      family: families.get(file.path),
      hasNamedPart,
      pin,
      obstacle: obstacle ?? (summary && describeDetour(summary.agent, file.path, world)),
    };
    const candidate = { ...facts, ...toFacts(summary, known) };
    return { candidate, files, isTarget, members, links, failures };
  });
}

/**
 * A session and those that it cannot be opened without are for one shard: what it continues from is removed
 * after it, and only if it was. Keyed by path.
 */
function findFamilies(units: readonly PrunableUnit[]): ReadonlyMap<string, string | undefined> {
  const byPath = new Map(units.map((unit) => [unit.whole.file.path, unit]));
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
  return new Map(
    units.map((unit) => {
      const { family, whole } = findFirst(unit);
      return [unit.whole.file.path, family ?? whole.file.path];
    }),
  );
}

/**
 * Counts the work in sidecars for their session, which then is not empty. Images, rejected lines and logs of
 * unknown agents count as work; so does work that was not read.
 */
function addWorkBeside(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
  const isWorking = (one: SessionSummary): boolean =>
    one.workCount > 0 || describeUnread(one, 'entries') !== undefined;
  const idle = new Set(
    read.flatMap(({ file, summary }) => (summary && !isWorking(summary) ? [file.path] : [])),
  );
  return read.map((one) => {
    const { summary, files } = one;
    if (!summary || !files) return one;
    const [, ...beside] = files.files;
    const work = beside.filter(({ name }) => !idle.has(join(files.root, name))).length;
    return { ...one, summary: { ...summary, workCount: summary.workCount + work } };
  });
}

/** Parents that the lines of copies show. */
function nameParents(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
  const summaries = read.flatMap(({ summary }) => summary ?? []);
  const named = new Map(nameCopies(summaries).map((one, index) => [summaries[index], one]));
  return read.map((one) => {
    const summary = one.summary && named.get(one.summary);
    return summary && summary !== one.summary ? { ...one, summary } : one;
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
    return file === undefined ? [] : [{ file, bytes: one.size }];
  });
  return { bytes: counted.reduce((sum, { size }) => sum + size, 0), shared };
}

/** Names of one file take one place among the last, and one in a budget. */
function toFileKey(file: StampedFile | undefined): string | undefined {
  return file && file.links > 1 ? `${file.dev}:${file.ino}` : undefined;
}

/** The session that one is a fork of; where none was read by that path, it may be a link to one. */
function findParent(path: string, known: ReadonlySet<string>): string {
  return known.has(path) ? path : getRealPath(path);
}

const NOTHING_UNREAD = { lines: 0, entries: 0 };

function toFacts(summary: SessionSummary | undefined, known: ReadonlySet<string>) {
  const { agent = null, id = '', cwd = '', name = null, labelCount = 0 } = summary ?? {};
  const parent = summary ? getParentPath(summary) : null;
  return {
    agent,
    id,
    cwd,
    name,
    labelCount,
    title: name ?? summary?.firstMessage ?? '',
    modified: summary ? getActivity(summary) : 0,
    latest: summary ? getLatest(summary) : 0,
    parentSessionPath: parent === null ? null : findParent(parent, known),
    otherParents: summary?.otherParents?.map((path) => findParent(path, known)),
    unread: summary?.unread ?? NOTHING_UNREAD,
  };
}

export function toBare(found: readonly FoundCandidate[]): readonly Candidate[] {
  return found.map(({ candidate }) => candidate);
}
