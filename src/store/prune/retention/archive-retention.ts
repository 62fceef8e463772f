import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { findDialect } from '../../../session/agents/index.ts';
import type { Candidate } from '../../../session/prune/candidate.ts';
import { UnpackError } from '../../../session/jsonl/zstd/unpacker.ts';
import { BASE_KEPT } from '../../../session/prune/decide-removals.ts';
import { planPrune } from '../../../session/prune/plan-prune.ts';
import { findReferrers, type Named, toUnreadBaseReason } from '../../../session/prune/referrers.ts';
import { type ArchivedSession, readArchive } from '../../archive/index/archive-index.ts';
import {
  DISPUTED,
  doubtArrival,
  getTrueActivity,
  isDisputed,
  isTied,
  sortByArrival,
  type StampedState,
  TIED,
  toStamped,
  UNKNOWN_AGE,
} from '../../archive/order-states.ts';
import {
  findSidecars,
  isAsIndexed,
  isMemberName,
  isOwnName,
  toSessionKey,
} from '../../archive/member/manifest.ts';
import { type FileVisitor, readMember, readToEnd } from '../../archive/member/read-member.ts';
import { groupBy } from '../../../session/model/tree/group-by.ts';
import { ArchivedBases, OWN_BASE_KEPT } from './archived-bases.ts';
import { ArchivedFolders } from './archived-folders.ts';
import { EntryIds, findNamesakes, isNamedByFile } from './common-entries.ts';
import { findReferredStates } from './referred-states.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { withKeptIds } from '../question.ts';
import type { ParsedRules } from '../parse-rules.ts';

/** The rules for what to keep in an archive. */
export interface Retention {
  /** Keep rules, which are about sessions by their last state; without any, all are kept. */
  readonly rules: ParsedRules | undefined;
  /** The number of last sound states to keep of each session; undefined: all of them. */
  readonly states: number | undefined;
}

/** The decision about one state in an archive. `mtime` is from before anything was decided. */
export interface StateDecision extends StampedState {
  readonly action: 'keep' | 'remove';
  readonly reasons: readonly string[];
}

/** The time of the run, in milliseconds, and a signal that ends it between two sessions. */
export interface RetentionRun {
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface RetentionPlan {
  readonly decisions: readonly StateDecision[];
  readonly problems: readonly FileError[];
}

/**
 * Decides what is kept of an archive. Of a session of which states are removed, those that are kept are
 * read from end to end first: one that is damaged takes no place among the last.
 * @throws FileError when there is no such directory; UsageError for an id that no session has; the reason of the
 * signal once it has aborted.
 */
export async function planRetention(
  directory: string,
  { rules, states }: Retention,
  { now, signal }: RetentionRun,
): Promise<RetentionPlan> {
  const { sessions, problems } = await readArchive(directory);
  const undescribed = findUndescribed(directory, problems);
  const stamped = sessions.map((state) => toStamped(directory, state));
  const byKey = groupBy(stamped, ({ state }) => toSessionKey(state.facts));
  const whole = rules
    ? await decideSessions(byKey, directory, rules, { now, signal, undescribed })
    : undefined;
  const decided: (readonly StateDecision[])[] = [];
  for (const [key, own] of byKey) {
    signal.throwIfAborted();
    const { action = 'keep', reasons = ['no keep rule was given'] } = whole?.get(key) ?? {};
    if (action === 'remove' || states === undefined) {
      decided.push(own.map((one) => ({ ...one, action, reasons })));
    } else decided.push(await decideStates(directory, own, { count: states, now }));
  }
  const based =
    states === undefined ? decided : await withBases(directory, byKey, decided, undescribed);
  return { decisions: await withReferred(directory, based, { signal, undescribed }), problems };
}

/** Finds a member that cannot be described. It is kept, and may need any other: nothing is known of it. */
function findUndescribed(directory: string, problems: readonly FileError[]): string | undefined {
  const isMember = ({ path }: FileError): boolean =>
    isMemberName(basename(path)) && join(directory, basename(path)) === path;
  return problems.find(isMember)?.path;
}

/** A run, and a member that cannot be described. */
interface DescribingRun extends RetentionRun {
  readonly undescribed: string | undefined;
}

/**
 * Keeps every state of a session that a kept one continues from: that names a place in one of them, and a later
 * one may have been made shorter. `decided`: in the order of the keys.
 */
async function withBases(
  directory: string,
  byKey: ReadonlyMap<string, readonly StampedState[]>,
  decided: readonly (readonly StateDecision[])[],
  undescribed: string | undefined,
): Promise<readonly (readonly StateDecision[])[]> {
  const isKept = ({ action }: StateDecision): boolean => action === 'keep';
  const isThinned = (own: readonly StateDecision[]): boolean => {
    const mayBeContinued = findDialect(own[0]?.state.facts.agent)?.bases !== undefined;
    return mayBeContinued && own.some(isKept) && !own.every(isKept);
  };
  if (!decided.some(isThinned)) return decided;
  const states = new Map([...byKey].map(([key, own]) => [key, own.map(({ state }) => state)]));
  const bases = new ArchivedBases(directory, states);
  const needed = new Set<string>();
  const keys = [...byKey.keys()];
  for (const [index, key] of keys.entries()) {
    if (decided[index]?.some(isKept) !== true) continue;
    for (const other of await bases.listNeeded(key)) needed.add(other);
  }
  const other = undescribed === undefined ? [] : [toUnreadBaseReason(undescribed)];
  const based: (readonly StateDecision[])[] = [];
  for (const [index, own] of decided.entries()) {
    const reasons = needed.has(keys[index] ?? '') ? [BASE_KEPT] : other;
    if (!isThinned(own)) based.push(own);
    else if (reasons.length > 0)
      based.push(own.map((one) => (isKept(one) ? one : { ...one, action: 'keep', reasons })));
    else based.push(await withOwnBases(own, bases));
  }
  return based;
}

/** Keeps the states of a session with files that a kept one continues from: somebody may have deleted the older files. */
async function withOwnBases(
  own: readonly StateDecision[],
  bases: ArchivedBases,
): Promise<readonly StateDecision[]> {
  const [kept, removed] = (['keep', 'remove'] as const).map((wanted) =>
    own.filter(({ action }) => action === wanted).map(({ state }) => state),
  );
  const needed = new Set(await bases.listOwnNeeded(kept ?? [], removed ?? []));
  return own.map((one) =>
    needed.has(one.state) ? { ...one, action: 'keep', reasons: [OWN_BASE_KEPT] } : one,
  );
}

/** Keeps the states that a kept one refers to; those of a session that is removed were asked about before. */
async function withReferred(
  directory: string,
  decided: readonly (readonly StateDecision[])[],
  run: Pick<DescribingRun, 'signal' | 'undescribed'>,
): Promise<readonly StateDecision[]> {
  const split = decided.map((own) => {
    const kept = own.filter(({ action }) => action === 'keep').map(({ state }) => state);
    const removed = own.filter(({ action }) => action === 'remove').map(({ state }) => state);
    return { kept, removed: kept.length > 0 ? removed : [] };
  });
  const referred = await findReferredStates(directory, split, run);
  return decided.flat().map((one): StateDecision => {
    const reason = referred.get(one.state.member);
    return reason === undefined ? one : { ...one, action: 'keep', reasons: [reason] };
  });
}

type Decided = Pick<StateDecision, 'action' | 'reasons'>;

/** Facts that were read of sessions that are kept, by key. */
interface ReadKept {
  /** The reasons why the index does not count for them: a rule must not keep them in the place of others. */
  readonly faults: Map<string, string>;
  /** The sessions that they cannot be opened without. */
  readonly needs: Map<string, readonly string[]>;
  /** The sessions with files that their lines name. */
  readonly named: Map<string, Named>;
}

/**
 * Decides by the index, reads from end to end what is kept, and decides again: a session that is damaged, or
 * that the index describes otherwise than its member does, takes the place of no other; and what a kept
 * session continues from, or its lines name files of, is kept with it.
 */
async function decideSessions(
  byKey: ReadonlyMap<string, readonly StampedState[]>,
  directory: string,
  rules: ParsedRules,
  { now, signal, undescribed }: DescribingRun,
): Promise<ReadonlyMap<string, Decided>> {
  const states = new Map([...byKey].map(([key, own]) => [key, own.map(({ state }) => state)]));
  const faults = await findNamesakes(directory, states);
  const read: ReadKept = { faults, needs: new Map(), named: new Map() };
  const bases = new ArchivedBases(directory, states);
  let folders: ArchivedFolders | undefined;
  if (undescribed !== undefined) {
    folders = await ArchivedFolders.read(directory, states);
    const unnamed = { path: undescribed, names: [], unread: undescribed, needs: [] };
    read.named.set(undescribed, unnamed);
    for (const key of bases.listAll()) faults.set(key, toUnreadBaseReason(undescribed));
  }
  for (;;) {
    const decided = decideByIndex(byKey, directory, { rules, now }, read, folders);
    const kept = [...decided].flatMap(([key, { action }]) => (action === 'keep' ? [key] : []));
    const open = kept.filter((key) => !read.needs.has(key));
    if (open.length === 0 || kept.length === decided.size) return decided;
    folders ??= await ArchivedFolders.read(directory, states);
    for (const key of open) {
      signal.throwIfAborted();
      const search = folders.startSearch();
      const { fault, unread } = await findFault(directory, states.get(key) ?? [], search.visit);
      if (fault !== undefined) read.faults.set(key, fault);
      const needs = await bases.listNeeded(key);
      read.needs.set(key, needs);
      read.named.set(key, { path: key, names: [...search.found], unread, needs });
    }
  }
}

interface Found {
  readonly fault?: string | undefined;
  /** The member of which not all could be searched. */
  readonly unread?: string | undefined;
}

async function findFault(
  directory: string,
  states: readonly ArchivedSession[],
  visit: FileVisitor,
): Promise<Found> {
  let found: Found = {};
  for (const state of states) {
    const unread = join(directory, state.member);
    try {
      const fault = await describeFault(directory, state, visit);
      if (fault !== undefined && found.fault === undefined) found = { fault, unread };
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      // The session was archived with the damage.
      const fault = await describeFault(directory, state);
      found = { fault: found.fault ?? fault, unread };
    }
  }
  return found;
}

function decideByIndex(
  byKey: ReadonlyMap<string, readonly StampedState[]>,
  directory: string,
  { rules, now }: { readonly rules: ParsedRules; readonly now: number },
  read: ReadKept,
  folders: ArchivedFolders | undefined,
): ReadonlyMap<string, Decided> {
  const referrers = folders && findReferrers([...read.named.values()], folders.keys);
  const candidates = [...byKey].map(([key, states]) => ({
    ...toCandidate({ path: key, directory, states, now }, read),
    ...referrers?.get(key),
  }));
  const policy = { ...withKeptIds(rules, candidates), grace: 0 };
  return new Map(
    planPrune(candidates, policy, now).map(({ candidate, action, reasons }) => {
      return [candidate.path, { action, reasons }];
    }),
  );
}

/** The states of a session, by its key. */
interface Described {
  readonly path: string;
  readonly directory: string;
  readonly states: readonly StampedState[];
  readonly now: number;
}

/** A session as its last state shows it. One with a state of an unknown time may be younger, or older: it takes no place. */
function toCandidate(
  { path, directory, states, now }: Described,
  { faults, needs }: ReadKept,
): Candidate {
  const times = states.map(({ state }) => getTrueActivity(state, now));
  const [last] = sortByArrival(states, now);
  const disputed = states.some((one) => isDisputed(one, states, now)) ? DISPUTED : undefined;
  const { agent = '', id = '', cwd = '', title = '' } = last?.state.facts ?? {};
  const modified = (last && getTrueActivity(last.state, now)) ?? 0;
  return {
    path,
    stores: [directory],
    agent: findDialect(agent)?.agent ?? null,
    id,
    cwd,
    name: null,
    title,
    modified,
    latest: modified,
    fileModified: 0,
    bytes: states.reduce((sum, { state }) => sum + state.bytes, 0),
    labelCount: 0,
    parentSessionPath: null,
    unread: { lines: 0, entries: 0, title: false },
    selected: true,
    // The index may lie, and so may the clock of another machine.
    obstacle: faults.get(path) ?? (times.includes(undefined) ? UNKNOWN_AGE : undefined) ?? disputed,
    needs: needs.get(path),
    file: last && toPlaceKey(last.state),
  };
}

/** One session that was at two paths, as where its project has moved, takes one place among the last. */
function toPlaceKey({ facts: { agent, id, path } }: ArchivedSession): string | undefined {
  return id !== '' && findSidecars(agent).isMade(path, id) ? `${agent}\0${id}` : undefined;
}

/** States of one session; a file that somebody has named may have been that of several. */
interface Chain {
  /** The states that are kept, of which each can be read. */
  readonly sound: ArchivedSession[];
  readonly isFirst: boolean;
}

async function decideStates(
  directory: string,
  states: readonly StampedState[],
  { count, now }: { readonly count: number; readonly now: number },
): Promise<readonly StateDecision[]> {
  const latest = count === 1 ? 'last state' : `last ${count} states`;
  const sorted = sortByArrival(states, now);
  if (states.length <= count) return sorted.map((one) => toKept(one, latest));
  const ids = new EntryIds(directory);
  const chains: Chain[] = [];
  const decisions: StateDecision[] = [];
  for (const one of sorted) {
    const doubt = doubtArrival(one, sorted, now);
    const chain = doubt ?? (await orFileError(() => findChain(one.state, chains, ids)));
    if (typeof chain === 'string') decisions.push(toKept(one, chain));
    else if (chain instanceof FileError) decisions.push(toKept(one, DAMAGED));
    else if (chain.sound.length < count) {
      const fault = await describeFault(directory, one.state);
      if (fault === undefined) chain.sound.push(one.state);
      if (fault === undefined && !chains.includes(chain)) chains.push(chain);
      decisions.push(toKept(one, fault ?? (chain.isFirst ? latest : OTHER_SESSION)));
    } else if (isTied(one.state, chain.sound.at(-1), sorted, now))
      decisions.push(toKept(one, TIED));
    else decisions.push({ ...one, action: 'remove', reasons: [`not of the ${latest}`] });
  }
  return decisions;
}

function toKept(one: StampedState, reason: string): StateDecision {
  return { ...one, action: 'keep', reasons: [reason] };
}

/**
 * Finds the chain of a state, or begins one.
 * @throws FileError where it cannot be read, if that matters.
 */
async function findChain(
  state: ArchivedSession,
  chains: readonly Chain[],
  ids: EntryIds,
): Promise<Chain> {
  const [first] = chains;
  if (!first) return { sound: [], isFirst: true };
  if (!isNamedByFile(state)) return first;
  for (const chain of chains) {
    for (const one of chain.sound) if (await ids.areShared(one, state)) return chain;
  }
  return { sound: [], isFirst: false };
}

const DAMAGED = 'is damaged, and does not count';
const OTHER_SESSION = 'may be of another session of this name';

/** Reads a member from end to end. */
async function describeFault(
  directory: string,
  state: ArchivedSession,
  visit: FileVisitor = readToEnd,
): Promise<string | undefined> {
  const manifest = await orFileError(() => readMember(join(directory, state.member), visit));
  if (manifest instanceof FileError) return DAMAGED;
  // A copy with another name, as a synchronisation makes it, is the same state.
  if (!isOwnName(state.member, manifest)) return 'has the name of another state';
  return isAsIndexed(manifest, state) ? undefined : 'the index contradicts it; use --rebuild-index';
}
