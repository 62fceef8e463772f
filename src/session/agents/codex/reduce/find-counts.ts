import type { Counts } from '../../../dialect/reduction.ts';
import type { LookedAt } from '../../../dialect/rule.ts';
import type { Session } from '../../../model/session.ts';
import { parseName } from '../format.ts';
import { hasDatabasesElsewhere, readProjection } from '../places/projection.ts';
import { describeDependent } from '../rules/repairing.ts';

/**
 * Forks and later generations begin at a byte of a rollout, and send what is before that: such a rollout
 * is left. What Codex has in its database to list the turns counts bytes, too; without it, Codex reads
 * the file again when it opens the thread.
 */
export async function findCounts(session: Session, files: LookedAt): Promise<Counts> {
  const { path } = session;
  const name = parseName(path);
  if (!name) return { obstacle: 'has a name that Codex does not give: its database may know it' };
  const dependent = await describeDependent(session, files);
  if (dependent !== undefined) return { obstacle: `${dependent}; --compress loses nothing` };
  if (await hasDatabasesElsewhere(path, files)) {
    return { obstacle: 'the databases of Codex are in another directory: left as it is' };
  }
  const projection = await readProjection(path, files);
  if (projection === 'unknown') {
    return { obstacle: 'the database of Codex cannot be read: left as it is' };
  }
  if (projection === undefined) return {};
  return { stale: { ids: [name.rolloutId ?? name.threadId], databases: ['thread_history'] } };
}
