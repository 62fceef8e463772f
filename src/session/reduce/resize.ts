import type { Dialect } from '../dialect/dialect.ts';
import type { Session } from '../model/session.ts';

/** Returns whether the agent loads a file whole before it has another size, and only a part of it then, or the reverse. */
export function isLoadedOtherwise(
  { stamp: { size } }: Session,
  { reduction }: Dialect,
  bytesAfter: number,
): boolean {
  const { maxWholeBytes: limit = Infinity } = reduction ?? {};
  return size > limit !== bytesAfter > limit;
}

/**
 * Returns the reason why the agent might continue another conversation once a file with the same entries has another
 * size; undefined if it does not.
 */
export function findHarmOfSize(
  session: Session,
  dialect: Dialect,
  bytesAfter: number,
): string | undefined {
  if (!isLoadedOtherwise(session, dialect, bytesAfter)) return undefined;
  return dialect.reduction?.findHarm?.(session, session.entries, [bytesAfter]);
}
