/** Clocks of different machines differ by this much without anything being wrong. */
const CLOCK_SKEW_MS = 60_000;

/** Why a session must be left unchanged for now. */
export type Unrest = 'future' | 'recent';

export const UNREST_REASONS: Readonly<Record<Unrest, string>> = {
  future: 'has a timestamp in the future',
  recent: 'used within --grace',
};

/**
 * Whether someone may be at work in a session, or its times make no sense; undefined when it is at
 * rest. `latest` is the later of its last activity and its file's mtime; all in milliseconds.
 */
export function findUnrest(latest: number, grace: number, now: number): Unrest | undefined {
  if (latest > now + CLOCK_SKEW_MS) return 'future';
  return latest > now - grace ? 'recent' : undefined;
}
