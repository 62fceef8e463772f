import type { SessionSummary } from './summary.ts';

/** Clocks of different machines differ by this much without anything being wrong. */
const CLOCK_SKEW_MS = 60_000;

/** Why a session must be left unchanged for now: its time makes no sense, or it was used just now. */
export type Use = 'future' | 'recent';

export const USE_REASONS: Readonly<Record<Use, string>> = {
  future: 'has a timestamp in the future',
  recent: 'used within --grace',
};

/**
 * Whether someone may be at work in a session, or its times make no sense; undefined when it is not in
 * use. `latest` is the later of its last activity and its file's mtime; all in milliseconds.
 */
export function findUse(latest: number, grace: number, now: number): Use | undefined {
  if (latest > now + CLOCK_SKEW_MS) return 'future';
  return latest > now - grace ? 'recent' : undefined;
}

/** The same for a summary, in words. `grace` and `now` in milliseconds. */
export function describeUse(
  { modified, fileModified }: Pick<SessionSummary, 'modified' | 'fileModified'>,
  grace: number,
  now: number,
): string | undefined {
  const use = findUse(Math.max(Date.parse(modified), Date.parse(fileModified)), grace, now);
  return use && USE_REASONS[use];
}
