import type { Dialect } from '../dialect/dialect.ts';
import type { PathMove } from '../model/paths.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import type { Session } from '../model/session.ts';
import { findHarmOfSize, isLoadedOtherwise } from '../reduce/resize.ts';
import { readSession } from '../read/read-session.ts';

/** Longer or shorter paths make no file larger or smaller by more than this factor, or hardly any. */
const MAX_FACTOR = 2;

/**
 * Returns the reason why the agent might not continue the same conversation once a session has moved, since a file
 * of its new size is loaded otherwise; undefined if it does.
 */
export async function findResized(
  opened: Session,
  dialect: Dialect,
  moves: readonly PathMove[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { relocation, reduction } = dialect;
  const { maxWholeBytes: limit } = reduction ?? {};
  if (!relocation || limit === undefined) return undefined;
  const { path, stamp } = opened;
  if (stamp.size < limit / MAX_FACTOR || stamp.size > limit * MAX_FACTOR) return undefined;
  const { transform } = relocation.createMigrator(moves);
  const resized = await measureTransformed(path, transform, { planned: stamp, signal });
  // An opening has no entries, and the file is read again only where it must be.
  if (!isLoadedOtherwise(opened, dialect, resized)) return undefined;
  const { session } = await readSession(path, { signal });
  return findHarmOfSize(session, dialect, resized);
}
