import { type ActionResult, toUnchanged } from '../../session/model/action.ts';
import { DEFAULT_GRACE, type FindUse, type LastUse } from '../../session/model/in-use.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import { parseAge } from '../../store/select/age.ts';
import { findRefusal } from '../../store/sessions/find-use.ts';
import { getAgentWorld } from '../world.ts';

/** Applies the default of `--grace`: a session that was used just now is not changed unless the caller wants it. */
export function findRecentUse(lastUse: LastUse): string | undefined {
  const now = Date.now();
  const grace = parseAge(DEFAULT_GRACE, 'grace', now);
  return findRefusal(lastUse, { grace, now, world: getAgentWorld() });
}

interface GuardedWork<T> {
  readonly apply: boolean;
  readonly findUse: FindUse;
  readonly work: () => Promise<T>;
  /** Makes the outcome for a session that is left as it is. */
  readonly toSkipped: (skipped: ActionResult & { readonly action: 'skip' }) => T;
}

/**
 * Lets `work` change a session that is not in use and that its agent opens, or preview that; holds its lock meanwhile.
 */
export async function guardUse<T>(
  path: string,
  { apply, findUse, work, toSkipped }: GuardedWork<T>,
): Promise<T> {
  const summary = await summarizeSession(path, { usage: false });
  // The error of the work says why it cannot be changed.
  if ('kind' in summary) return work();
  const reason = findUse(summary) ?? summary.problem?.message;
  if (reason !== undefined) return toSkipped(toUnchanged(summary, 'skip', [reason]));
  return apply ? holdSession(summary.agent, path, work) : work();
}
