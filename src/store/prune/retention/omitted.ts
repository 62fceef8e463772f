import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { type ArchivedState, listMoments, toStateAsOf } from '../../archive/choose-states.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { readIndexLines } from '../../archive/index/index-file.ts';
import { createClaimTest } from '../../archive/member/claimed-files.ts';
import { toSessionKey, toStateKey } from '../../archive/member/manifest.ts';
import { readManifest } from '../../archive/member/read-member.ts';
import { orFileError, orFileErrorSync } from '../../../session/jsonl/files/file-error.ts';
import { sortByArrival, type StampedState, toStamped } from '../../archive/order-states.ts';
import { type Destination, findPlace, type Place } from '../../archive/place.ts';
import { groupBy } from '../../../session/model/tree/group-by.ts';
import { EntryIds, isNamedByFile } from './common-entries.ts';

/**
 * Finds the states that are left out where the last one of each name is restored, and that are of other
 * sessions: no entry of one is in another that is restored or found. Of each such session the last is given.
 */
export async function findOmitted(
  directory: string,
  chosen: readonly ArchivedState[],
  asOf = Number.POSITIVE_INFINITY,
): Promise<readonly FileError[]> {
  const found: FileError[] = [];
  for (const { session, others } of chosen) {
    if (others.length === 0 || !isNamedByFile(session)) continue;
    const ids = new EntryIds(directory);
    const known = [session];
    for (const other of others.toReversed()) {
      if (!toStateAsOf(other, asOf)) continue;
      const isKnown = await orFileError(() => isOfOne(ids, known, other));
      if (isKnown instanceof FileError) found.push(isKnown);
      else if (!isKnown) {
        known.push(other);
        found.push(toProblem(directory, other, SAME_PATH));
      }
    }
  }
  return found;
}

/**
 * Finds the sessions of which nothing is restored as of a moment, or an earlier state, though the index says that another
 * one was in the archive then: a later one has taken its place since.
 */
export async function findReplaced(
  directory: string,
  sessions: readonly ArchivedSession[],
  chosen: readonly ArchivedState[],
  asOf: number,
): Promise<readonly FileError[]> {
  const last = await findLastKnown(directory, asOf);
  const there = new Set(sessions.map(({ member }) => toStateKey(member)));
  const restored = new Map(chosen.map(({ session }) => [toSessionKey(session.facts), session]));
  const found: FileError[] = [];
  for (const [key, session] of new Map(sessions.map((one) => [toSessionKey(one.facts), one]))) {
    const known = last.get(key);
    const earlier = restored.get(key);
    if (!known || (earlier && (there.has(known.state) || known.time <= earlier.archivedAt)))
      continue;
    const { id } = session.facts;
    const what = earlier ? 'restored as it was before' : 'not restored';
    const message = `${what}: its state at that time was replaced by a later one; --restore ${id} restores the later one`;
    found.push(new FileError(join(directory, session.member), 'ENODATA', message));
  }
  return found;
}

interface LastKnown {
  /** Milliseconds. */
  readonly time: number;
  /** The key of the state. */
  readonly state: string;
}

/** Finds the state of each session that the index says was archived last by a moment. */
async function findLastKnown(
  directory: string,
  asOf: number,
): Promise<ReadonlyMap<string, LastKnown>> {
  const last = new Map<string, LastKnown>();
  await readIndexLines(directory, ({ content }) => {
    if (!content || !('manifest' in content)) return;
    const { member, manifest, archivedAt: time } = content;
    if (time === undefined || time > asOf) return;
    const key = toSessionKey(manifest);
    if (time >= (last.get(key)?.time ?? time)) last.set(key, { time, state: toStateKey(member) });
  });
  return last;
}

/**
 * Finds the states that are left out since a session that was archived later is restored to the same path, or one of the
 * same id whose sidecars have the names of theirs and another content: a project may have moved. It would get the
 * sidecars of both, and which of them came first would be left to chance.
 */
export async function findDisplaced(
  directory: string,
  chosen: readonly ArchivedState[],
  destination: Destination,
  now: number,
): Promise<ReadonlyMap<ArchivedState, FileError>> {
  const rivals = chosen.flatMap((one): Rival | readonly [] => {
    const place = orFileErrorSync(() => findPlace(one.session.facts, destination));
    // Its own restore says why it is not restored there.
    return place instanceof FileError ? [] : { ...toStamped(directory, one.session), one, place };
  });
  const displaced = new Map<ArchivedState, FileError>();
  for (const own of groupBy(rivals, ({ place }) => place.path).values()) {
    const [last, ...others] = sortByArrival(own, now);
    for (const { one } of others) {
      if (last && (await holdSame(directory, [last.one.session, one.session]))) continue;
      displaced.set(one, toProblem(directory, one.session, SAME_PATH));
    }
  }
  for (const own of groupBy(rivals, toIdKey).values()) {
    const left = own.filter(({ one }) => !displaced.has(one));
    for (const one of await findOpposed(directory, sortByArrival(left, now))) {
      displaced.set(one, toProblem(directory, one.session, LATER_SIDECARS));
    }
  }
  return displaced;
}

interface Rival extends StampedState {
  readonly one: ArchivedState;
  /** The place to which it would be restored. */
  readonly place: Place;
}

/** Rivals for the same sidecars have the same key. */
function toIdKey({ one, place }: Rival): string {
  const { agent, id } = one.session.facts;
  return JSON.stringify([place.root, agent, id]);
}

const SAME_PATH = 'another session has its name and path';
const LATER_SIDECARS = 'a state in another place, which was archived later, has other sidecars';

/** Finds the states with a file that one before them has with another content. `rivals`: the last first. */
async function findOpposed(
  directory: string,
  rivals: readonly Rival[],
): Promise<readonly ArchivedState[]> {
  if (rivals.length < 2) return [];
  const taken = new Map<string, string>();
  const found: ArchivedState[] = [];
  for (const { one, place } of rivals) {
    const member = join(directory, one.session.member);
    const manifest = await orFileError(() => readManifest(member));
    if (manifest instanceof FileError) continue;
    const isClaimed = createClaimTest(manifest, place);
    const files = manifest.files.filter(({ name }) => !isClaimed(name));
    const isOpposed = files.some(({ name, sha256 }) => (taken.get(name) ?? sha256) !== sha256);
    if (isOpposed) found.push(one);
    else for (const { name, sha256 } of files) taken.set(name, sha256);
  }
  return found;
}

/** Returns whether all files of some states are the same, as of a store and a copy of it. */
async function holdSame(directory: string, states: readonly ArchivedSession[]): Promise<boolean> {
  const held = new Set<string | undefined>();
  for (const { member } of states) {
    const manifest = await orFileError(() => readManifest(join(directory, member)));
    if (manifest instanceof FileError) return false;
    held.add(JSON.stringify(manifest.files.map(({ name, sha256 }) => [name, sha256])));
  }
  return held.size === 1;
}

async function isOfOne(ids: EntryIds, known: readonly ArchivedSession[], other: ArchivedSession) {
  for (const one of known) if (await ids.areShared(one, other)) return true;
  return false;
}

function toProblem(
  directory: string,
  { member, facts, archivedAt }: ArchivedSession,
  reason: string,
): FileError {
  const how = `--restore ${facts.id} --as-of ${listMoments([archivedAt])} --store <other directory>`;
  const message = `not restored: ${reason}; restore it with ${how}`;
  return new FileError(join(directory, member), 'EEXIST', message);
}
