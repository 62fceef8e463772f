import { join } from 'node:path';
import { isLikelyTime } from '../../session/read/summaries/unread.ts';
import { readMtime } from '../files/stat-file.ts';
import type { ArchivedSession } from './index/archive-index.ts';

/** A state, and the time of the last write to its member in nanoseconds. */
export interface StampedState {
  readonly state: ArchivedSession;
  readonly mtime: bigint | undefined;
}

export function toStamped(directory: string, state: ArchivedSession): StampedState {
  return { state, mtime: readMtime(join(directory, state.member)) };
}

/** The precision of times in some file systems and formats, in milliseconds. */
const PRECISION = 2000;

/**
 * Sorts the states of one session, the last first: as they were archived; where that is not known of all of them, as
 * they were last active. Of a state that cannot have been active when it says, nothing is known: it comes behind the
 * others.
 */
export function sortByArrival<T extends StampedState>(
  states: readonly T[],
  now: number,
): readonly T[] {
  const arrivals = new Map(states.map((one) => [one, getArrival(one, now)]));
  const isKnown = states.every((one) => arrivals.get(one) !== undefined);
  const getOrder = (one: T): number =>
    (isKnown ? arrivals.get(one) : getTrueActivity(one.state, now)) ?? 0;
  return states.toSorted(
    (a, b) =>
      getOrder(b) - getOrder(a) ||
      b.state.archivedAt - a.state.archivedAt ||
      (a.state.member < b.state.member ? 1 : -1),
  );
}

/**
 * Returns when a state was archived, as far as its member confirms the index: not before the session was last active,
 * and not after the member was last written. Undefined where that is not known, or cannot be true.
 */
function getArrival({ state, mtime }: StampedState, now: number): number | undefined {
  const recorded = state.moments.at(-1);
  if (recorded === undefined) return undefined;
  const active = getActivity(state);
  const since = Math.max(recorded, Number.isFinite(active) ? active : recorded);
  const written = toWritten(mtime);
  // A copy may have set the times of all files to 1970.
  const arrival = isWrittenBefore(written, active) ? since : Math.min(since, written ?? since);
  return arrival <= now + PRECISION ? arrival : undefined;
}

/** Returns when a state was last active, in milliseconds; undefined if it cannot have been when it says. */
export function getTrueActivity(state: ArchivedSession, now: number): number | undefined {
  const time = getActivity(state);
  return isLikelyTime(time) && time <= now ? time : undefined;
}

/**
 * The reason why a state may be newer or older than others of its session: its times cannot be true, or the index
 * and the files give the states another order. `all`: the states of the session.
 */
export function doubtArrival(
  one: StampedState,
  all: readonly StampedState[],
  now: number,
): string | undefined {
  const active = getTrueActivity(one.state, now);
  if (active === undefined) return UNKNOWN_AGE;
  if (isWrittenBefore(toWritten(one.mtime), active)) {
    return 'its file was written before it was last active';
  }
  const isLate = one.state.moments.length > 0 && getArrival(one, now) === undefined;
  if (isLate) return 'it was archived in the future';
  return isDisputed(one, all, now) ? DISPUTED : undefined;
}

/**
 * Returns whether the file of a state was last written before the index says that it was archived, and the states have
 * another order by that: a clock was wrong, or a copy has set the time of the file. Where all are early by as much, as
 * on a server with a clock that is slow, the order is the same.
 */
export function isDisputed(one: StampedState, all: readonly StampedState[], now: number): boolean {
  const arrival = getArrival(one, now);
  const recorded = one.state.moments.at(-1);
  if (arrival === undefined || recorded === undefined || arrival + PRECISION >= recorded) {
    return false;
  }
  return all.some((other) => {
    const others = getArrival(other, now);
    const moment = other.state.moments.at(-1);
    return others !== undefined && moment !== undefined && moment < recorded && others > arrival;
  });
}

/**
 * Returns whether nothing but the times of files, which a copy sets again, says which of two states came last: they
 * were last active at one time, and the index does not know when each state was archived.
 */
export function isTied(
  one: ArchivedSession,
  other: ArchivedSession | undefined,
  all: readonly StampedState[],
  now: number,
): boolean {
  const isKnown = all.every((state) => getArrival(state, now) !== undefined);
  if (other === undefined || isKnown) return false;
  return getActivity(one) === getActivity(other);
}

export const TIED =
  'was last active when another state was, and the index does not say which came last';
export const DISPUTED = 'its file is older than the archiving time in the index';
export const UNKNOWN_AGE = 'its last activity is unknown';

function getActivity({ facts }: ArchivedSession): number {
  return Date.parse(facts.lastActive);
}

function isWrittenBefore(written: number | undefined, active: number): boolean {
  return written !== undefined && written + PRECISION < active;
}

function toWritten(mtime: bigint | undefined): number | undefined {
  return mtime === undefined ? undefined : Number(mtime / 1_000_000n);
}
