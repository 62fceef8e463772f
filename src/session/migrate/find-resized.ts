import type { Dialect } from '../dialect/dialect.ts';
import type { PathMove } from '../dialect/migration.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import type { Session } from '../model/session.ts';
import { readSession } from '../read/read-session.ts';

/** Longer or shorter paths make no file larger or smaller by more than this factor, or hardly any. */
const MAX_FACTOR = 2;

/**
 * Returns the reason why the agent might not continue the same conversation once a session has moved, since a file
 * of its new size is loaded otherwise; undefined if it does.
 */
export async function findResized(
  { path, stamp }: Session,
  { relocation, reduction }: Dialect,
  moves: readonly PathMove[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { maxWholeBytes: limit } = relocation ?? {};
  if (!relocation || limit === undefined || !reduction?.findHarm) return undefined;
  const { size } = stamp;
  if (size < limit / MAX_FACTOR || size > limit * MAX_FACTOR) return undefined;
  const { transform } = relocation.createMigrator(moves);
  const resized = await measureTransformed(path, transform, { planned: stamp, signal });
  if (size > limit === resized > limit) return undefined;
  const { session } = await readSession(path, { signal });
  return reduction.findHarm(session, session.entries, [resized]);
}
