import type { SessionSummary } from '../session/summary.ts';

/** Clocks of different machines differ by this much without anything being wrong. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Why a session must be left alone for now: someone may be at work in it, or its times make no
 * sense. Undefined when it is at rest. `now` and `grace` in milliseconds.
 */
export function findUnrest(
  { modified, fileModified }: Pick<SessionSummary, 'modified' | 'fileModified'>,
  grace: number,
  now: number,
): string | undefined {
  const latest = Math.max(Date.parse(modified), Date.parse(fileModified));
  if (latest > now + CLOCK_SKEW_MS) return 'has a timestamp in the future';
  return latest > now - grace ? 'in use a moment ago (--grace)' : undefined;
}
