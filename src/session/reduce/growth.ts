import type { Dialect } from '../dialect/dialect.ts';
import type { Session } from '../model/session.ts';

/**
 * Returns the reason why the agent might continue another conversation once lines are appended to a file that it
 * loads whole now, and only a part of then; undefined if it does not.
 */
export function findHarmOfGrowth(
  session: Session,
  { relocation, reduction }: Dialect,
  bytesAfter: number,
): string | undefined {
  const { maxWholeBytes: limit = Infinity } = relocation ?? {};
  if (session.stamp.size > limit || bytesAfter <= limit) return undefined;
  return reduction?.findHarm?.(session, session.entries, [bytesAfter]);
}
