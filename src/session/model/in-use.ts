import type { SessionSummary } from './summary.ts';

/** Clocks of different machines differ by this much without anything being wrong. */
const CLOCK_SKEW_MS = 60_000;

/** A session that was used within this time is left unchanged, unless the user names another. */
export const DEFAULT_GRACE = '10min';

/** The grace time before a session is removed. */
export const REMOVAL_GRACE = '1d';

/**
 * The reason why a session must not be changed now: it is open, its time makes no sense, or it was used just
 * now.
 */
export type Use = 'open' | 'future' | 'recent';

export const USE_REASONS: Readonly<Record<Use, string>> = {
  open: 'is open in its agent',
  future: 'has a timestamp in the future',
  recent: 'used within --grace',
};

/** The notes of an agent's processes about a session. */
export interface Holder {
  readonly isOpen: boolean;
  /** The time of the last note, in milliseconds; 0 for never. */
  readonly updatedAt: number;
}

export const NOT_HELD: Holder = { isOpen: false, updatedAt: 0 };

/**
 * Returns whether someone may be at work in a session, or its times make no sense; undefined when it is not
 * in use. `latest` is the later of its last activity and its file's mtime; all in milliseconds.
 */
export function findUse(
  latest: number,
  grace: number,
  now: number,
  { isOpen, updatedAt }: Holder,
): Use | undefined {
  if (isOpen) return 'open';
  if (latest > now + CLOCK_SKEW_MS) return 'future';
  return Math.max(latest, updatedAt) > now - grace ? 'recent' : undefined;
}

/** Describes the use of a session by its summary. `grace` and `now` in milliseconds. */
export function describeUse(
  { modified, fileModified }: Pick<SessionSummary, 'modified' | 'fileModified'>,
  grace: number,
  now: number,
  holder: Holder,
): string | undefined {
  const latest = Math.max(Date.parse(modified), Date.parse(fileModified));
  const use = findUse(latest, grace, now, holder);
  return use && USE_REASONS[use];
}
