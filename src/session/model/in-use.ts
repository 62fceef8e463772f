import type { Agent } from './agent.ts';

/** Clocks of different machines differ by this much without anything being wrong. */
const CLOCK_SKEW_MS = 60_000;

/** A session that was used within this time is left unchanged, unless the user names another. */
export const DEFAULT_GRACE = '10min';

/** The grace time before a session is removed. */
export const REMOVAL_GRACE = '1d';

export const IS_OPEN = 'is open in its agent';

/** The notes of an agent's processes about a session. */
export interface Holder {
  readonly isOpen: boolean;
  /** The time of the last note, in milliseconds; 0 for never. */
  readonly updatedAt: number;
}

export const NOT_HELD: Holder = { isOpen: false, updatedAt: 0 };

/** The times by which a use is judged, in milliseconds. */
export interface GraceTerms {
  /** How long after its last use a session counts as in use. */
  readonly grace: number;
  readonly now: number;
}

/** The times of the last use of a session, ISO 8601: of its content, and of the file. */
export interface LastUse {
  readonly agent: Agent;
  readonly path: string;
  readonly modified: string;
  readonly fileModified: string;
}

/** Returns the reason why a session must not be changed now; undefined if it may be. */
export type FindUse = (lastUse: LastUse) => string | undefined;

/** Returns whether a time is in the future, both in milliseconds. */
export function isInFuture(time: number, now: number): boolean {
  return time > now + CLOCK_SKEW_MS;
}

/**
 * Finds the reason, in a few words, why someone may be at work in a session, or why its times make no sense; undefined
 * when it is not in use. `latest` is the later of its last activity and its file's mtime, in milliseconds.
 */
export function findUse(
  latest: number,
  { isOpen, updatedAt }: Holder,
  { grace, now }: GraceTerms,
): string | undefined {
  if (isOpen) return IS_OPEN;
  if (isInFuture(latest, now)) {
    return 'has a timestamp in the future';
  }
  const last = Math.max(latest, updatedAt);
  if (last <= now - grace) return undefined;
  const what = updatedAt > latest ? 'used' : 'changed';
  const ago = formatAge(Math.max(0, now - last));
  return `${what} ${ago} ago, within --grace ${formatGrace(grace)}`;
}

const SECOND = 1000;
const [MINUTE, HOUR, DAY] = [60 * SECOND, 3600 * SECOND, 86_400 * SECOND];

/** Formats a time that has passed in its largest unit, as `12 s` or `3 h`. */
function formatAge(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  return ms < DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`;
}

/** Formats a grace time as the option takes it, as `90min` or `1d`. */
function formatGrace(ms: number): string {
  if (ms % DAY === 0) return `${ms / DAY}d`;
  if (ms % HOUR === 0) return `${ms / HOUR}h`;
  return ms % MINUTE === 0 ? `${ms / MINUTE}min` : `${ms / SECOND}s`;
}

/** Describes the use of a session by its times. */
export function describeUse(
  { modified, fileModified }: Pick<LastUse, 'modified' | 'fileModified'>,
  holder: Holder,
  terms: GraceTerms,
): string | undefined {
  const latest = Math.max(Date.parse(modified), Date.parse(fileModified));
  return findUse(latest, holder, terms);
}
