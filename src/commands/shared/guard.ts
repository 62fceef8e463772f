import type { SessionSummary } from '../../session/model/summary.ts';
import { findUnrest } from '../../session/model/grace.ts';
import type { Context } from '../command.ts';
import { LINKED } from './select.ts';

/**
 * Why a session must not be changed now: it is linked, in use, or cannot be read. Undefined when it
 * may be. `grace` in milliseconds.
 */
export function findSkipReason(
  session: SessionSummary,
  linked: ReadonlySet<string>,
  grace: number,
  { now }: Pick<Context, 'now'>,
): string | undefined {
  if (linked.has(session.path)) return LINKED;
  return findUnrest(session, grace, now()) ?? session.problem?.message;
}
