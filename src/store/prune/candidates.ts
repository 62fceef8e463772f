import { planPrune } from '../../session/prune/plan-prune.ts';
import type { RuleContext } from '../select/selection-rules.ts';
import { type RemovalRules, toPolicy, toPruneSelection } from './policy.ts';
import { join, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import { isBelow } from '../../session/model/paths.ts';
import { describeCandidate, findById } from '../../session/model/ids/match-id.ts';
import { NOT_HELD } from '../../session/model/in-use.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/environment.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import { getParentPath } from '../../session/model/tree/lineage.ts';
import { nameCopies } from '../../session/model/tree/copies.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import type { Decision } from '../../session/prune/policy.ts';
import { describeUnread, getActivity, getLatest } from '../../session/read/summaries/unread.ts';
import { findHolder } from '../read/find-use.ts';
import { type ReadAll, toPrunable, toUnreadable } from '../read/read-prunable.ts';
import { getRealPath, isGone } from '../read/files/stat-file.ts';
import { createCompleter } from '../read/surroundings.ts';
import { isGoneSince, toProblem } from '../find/found-file.ts';
import type { StampedFile } from '../remove/file-tree.ts';
import { listCounted, type SessionFiles } from '../remove/session-files.ts';
import { isInShard, type Shard } from '../select/shard.ts';
import { addClaimed } from './claimed-sidecars.ts';
import { judgeSessions, type PruneSelection } from './judge.ts';
import {
  type FoundPrunable,
  type Link,
  type PrunableUnit,
  type ReadSessions,
  toPrunableUnits,
} from './units.ts';

/** A session that the policy judges, or that only bears witness to a lineage. */
export interface FoundCandidate {
  readonly candidate: Candidate;
  /** Undefined where the policy cannot touch it anyway. */
  readonly files: SessionFiles | undefined;
  /** Among the targets, and not only of the same store. */
  readonly isTarget: boolean;
  /** The paths of all of its session files. */
  readonly members: readonly string[];
  /** Of these, those that others may go on from, or that go on from others. */
  readonly links: readonly Link[];
}

const NONE: ReadonlySet<string> = new Set();

/** The question of which sessions to remove, with the rules that decide it. */
export interface PruneQuestion {
  readonly selection: PruneSelection;
  /** @throws UsageError, as for an id of a session to keep that no session has. */
  readonly decide: (found: readonly FoundCandidate[]) => readonly Decision[];
  /** By which agents have sessions open, and databases elsewhere. */
  readonly world: AgentWorld;
  /** Reads sessions from end to end. */
  readonly readWhole: ReadAll;
  /** The part that this run acts on; everything unless given. */
  readonly shard?: Shard | undefined;
}

/** Turns rules into a question; the caller adds the function that reads sessions whole. */
export function toQuestion(
  rules: RemovalRules,
  context: RuleContext,
  world: AgentWorld,
): Pick<PruneQuestion, 'selection' | 'decide' | 'world'> {
  const decide = (found: readonly FoundCandidate[]): readonly Decision[] => {
    const kept = findKeptPaths(rules.keepId ?? [], found, context.toLabel('keepId'));
    return planPrune(toBare(found), toPolicy(rules, kept, context), context.now);
  };
  return { selection: toPruneSelection(rules, context), decide, world };
}

/** Decisions on facts that were read, and what could not be read on the way. */
export interface FactualPlan {
  readonly found: readonly FoundCandidate[];
  readonly decisions: readonly Decision[];
  readonly problems: readonly FileProblem[];
}

/**
 * Plans, reads from end to end what would be removed, and plans again if that brought something to
 * light, until nothing is to be removed that was not read so: the first reading takes lines by their
 * ends, as a listing does. Of several shards, each decides as if it were alone: a session of which
 * another one has removed some files by now keeps none of this one's.
 */
export async function planOnFacts(
  sessions: ReadSessions,
  { selection, decide, readWhole, shard, world }: PruneQuestion,
): Promise<FactualPlan> {
  const read = new Set<string>();
  let known = sessions;
  for (;;) {
    const found = await toCandidates(known, selection, world);
    const decisions = decide(found);
    const members = new Map(found.map((one) => [one.candidate, one.members]));
    const unread = new Set<string>();
    for (const { candidate, action } of decisions) {
      if (action !== 'remove') continue;
      for (const path of members.get(candidate) ?? []) if (!read.has(path)) unread.add(path);
    }
    if (unread.size > 0) {
      known = await replaceRead(known, await readWhole([...unread]));
      for (const path of unread) read.add(path);
      continue;
    }
    const taken = shard ? findTaken(decisions, members, shard) : NONE;
    if (taken.size === 0) return { found, decisions, problems: known.problems };
    known = { ...known, read: known.read.filter(({ file }) => !taken.has(file.path)) };
  }
}

/** Returns whether anything would be removed, as far as is known yet. */
export async function removesAny(
  sessions: ReadSessions,
  { selection, decide, world }: Pick<PruneQuestion, 'selection' | 'decide' | 'world'>,
): Promise<boolean> {
  const found = await toCandidates(sessions, selection, world);
  return decide(found).some(({ action }) => action === 'remove');
}

/**
 * The files of sessions that this plan keeps, though they are being removed: by other shards, which saw
 * them whole. One that is in this shard, or could not be read, is kept.
 */
function findTaken(
  decisions: readonly Decision[],
  members: ReadonlyMap<Candidate, readonly string[]>,
  shard: Shard,
): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const decision of decisions) {
    const { candidate, action } = decision;
    if (action === 'remove' || candidate.agent === null || isOwn(decision, shard)) continue;
    const paths = members.get(candidate) ?? [];
    if (paths.some(isGone)) for (const path of paths) taken.add(path);
  }
  return taken;
}

async function replaceRead(
  { read, problems, ...rest }: ReadSessions,
  whole: Awaited<ReturnType<ReadAll>>,
): Promise<ReadSessions> {
  const complete = createCompleter();
  const again: FoundPrunable[] = [];
  const failed: FileProblem[] = [];
  for (const one of read) {
    const outcome = whole.get(one.file.path);
    if (!outcome) again.push(one);
    else if (!(outcome instanceof FileError)) {
      again.push({ ...one, ...(await toPrunable(one, outcome, complete)) });
    } else if (!isGoneSince(one.file, outcome)) {
      again.push({ ...one, ...toUnreadable(one, outcome) });
      if (one.isTarget) failed.push(toProblem(outcome));
    }
  }
  return { ...rest, read: again, problems: [...problems, ...failed] };
}

/** Asks the selectors, and gathers what the policy needs to know. */
async function toCandidates(
  sessions: ReadSessions,
  selection: PruneSelection,
  world: AgentWorld,
): Promise<readonly FoundCandidate[]> {
  const { stores, problems } = sessions;
  const read = nameParents(await addClaimed(sessions));
  const superseded = findSuperseded(read.flatMap(({ summary }) => summary ?? []));
  const units = await toPrunableUnits(read, problems, world);
  const current = units.flatMap(({ whole }) => (superseded.has(whole.file.path) ? [] : [whole]));
  const targets = addWorkBeside(current).filter(({ isTarget }) => isTarget);
  const judged = await judgeSessions(
    targets.flatMap(({ summary }) => summary ?? []),
    selection,
  );
  const known = new Set(read.map(({ file }) => file.path));
  const families = findFamilies(units);
  return units.map(({ whole, members, links, ids, needs, hasNamedPart, pin, holder }) => {
    const { file, summary, files, obstacle, isTarget } = whole;
    const times = files?.files.map(({ mtimeMs }) => mtimeMs) ?? [0];
    const facts = {
      path: file.path,
      store: findStore(file.path, stores),
      fileModified: times.reduce((latest, time) => Math.max(latest, time), 0),
      // Of its files, none counts itself where it has several.
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
      obstacle,
    };
    const candidate = { ...facts, ...toFacts(summary, known) };
    return { candidate, files, isTarget, members, links };
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
function findParentPath(summary: SessionSummary, known: ReadonlySet<string>): string | null {
  const path = getParentPath(summary);
  return path === null || known.has(path) ? path : getRealPath(path);
}

const NOTHING_UNREAD = { lines: 0, entries: 0 };

function toFacts(summary: SessionSummary | undefined, known: ReadonlySet<string>) {
  const { agent = null, id = '', cwd = '', name = null, labelCount = 0 } = summary ?? {};
  return {
    agent,
    id,
    cwd,
    name,
    labelCount,
    title: name ?? summary?.firstMessage ?? '',
    modified: summary ? getActivity(summary) : 0,
    latest: summary ? getLatest(summary) : 0,
    parentSessionPath: summary ? findParentPath(summary, known) : null,
    unread: summary?.unread ?? NOTHING_UNREAD,
  };
}

/** The outermost directory that was searched and holds the file; its own when it was named. */
export function findStore(path: string, stores: readonly string[]): string {
  const around = stores.filter((store) => isBelow(path, store));
  const [outermost] = around.toSorted((a, b) => a.length - b.length);
  return outermost ?? path.slice(0, path.lastIndexOf(sep));
}

/**
 * The sessions that ids to keep name; of one id, all that have it. `label` is the rule in messages.
 * @throws UsageError for an id that no session has, or a prefix that several have: a session that
 * was meant would be removed.
 */
export function findKeptPaths(
  ids: readonly string[],
  found: readonly FoundCandidate[],
  label: string,
): ReadonlySet<string> {
  const kept = ids.flatMap((id) =>
    findById(id, toBare(found), {
      getId: (one) => one.id,
      asked: `${label} ${id}`,
      unknown: 'no session has this id',
      describe: describeCandidate,
    }),
  );
  return new Set(kept.map(({ path }) => path));
}

export function toBare(found: readonly FoundCandidate[]): readonly Candidate[] {
  return found.map(({ candidate }) => candidate);
}

/** Decisions about targets, and about what is removed along with them. */
export function listTargets(
  decisions: readonly Decision[],
  found: readonly FoundCandidate[],
): readonly Decision[] {
  const targets = new Set(found.flatMap((one) => (one.isTarget ? [one.candidate] : [])));
  return decisions.filter(({ candidate, action }) => action === 'remove' || targets.has(candidate));
}

/**
 * Of decisions about all, those that one shard acts on: keep rules need the whole group, so that every
 * shard plans over everything. What lies in a session's folder is in the shard of that session.
 */
export function inShard(
  decisions: readonly Decision[],
  shard: Shard | undefined,
): readonly Decision[] {
  return decisions.filter((decision) => isOwn(decision, shard));
}

function isOwn({ candidate, owner = candidate }: Decision, shard: Shard | undefined): boolean {
  return isInShard(owner.family ?? owner.path, shard);
}

/** Maps paths to the files of each session, as they were read. */
export function toFiles(found: readonly FoundCandidate[]): ReadonlyMap<string, SessionFiles> {
  return new Map(found.flatMap(({ candidate, files }) => (files ? [[candidate.path, files]] : [])));
}
