import { createKeyedQueue } from '../../session/jsonl/files/keyed-queue.ts';
import { type ErrorCode, UsageError } from '../../errors.ts';
import type { Agent } from '../../session/model/agent.ts';
import { type ActionResult, LINKED_TO_CHANGE, toSkipReason } from '../../session/model/action.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { findRefusal } from '../../store/sessions/find-use.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import type { Context } from '../command.ts';
import { runSessions } from './run-sessions.ts';

/** The result for a session that was skipped, or failed, and is as it was. */
export interface SkippedSession extends ActionResult {
  readonly action: 'skip' | 'fail';
}

export interface ChangeRun<R extends ActionResult> {
  /** The word of the progress bar, as in `Reducing`. */
  readonly label: string;
  /** How many sessions are worked on at once. */
  readonly jobs: number;
  /** Whether sessions are changed: then no other process may open one meanwhile. */
  readonly applies: boolean;
  /** Milliseconds. */
  readonly grace: number;
  /** Paths that a symbolic link leads to. */
  readonly linked: ReadonlySet<string>;
  change(session: SessionSummary): Promise<R>;
  /** Sessions with the same one are changed one after another: what is done to one may change another. */
  findFamily?(session: SessionSummary): string | undefined;
  /** Adds the fields of this command's results. */
  toResult(skipped: SkippedSession): R;
  /** Paths that were named. Other sessions are skipped where they refuse; one of these fails. */
  readonly explicit: ReadonlySet<string>;
  /** The codes of refusals; unless given, that a session or its agent has nothing of the kind. */
  readonly refusals?: ReadonlySet<ErrorCode>;
}

const NOT_SUPPORTED: ReadonlySet<ErrorCode> = new Set(['not-supported']);

/**
 * Changes each session that may be changed now; the others are skipped, with the reason. Results are in
 * the order of the sessions.
 * @throws whatever `change` throws that is not a FileError, and when the signal aborts.
 */
export async function changeSessions<R extends ActionResult>(
  sessions: readonly SessionSummary[],
  run: ChangeRun<R>,
  context: Context,
): Promise<readonly R[]> {
  const { label, jobs } = run;
  const enqueue = createKeyedQueue();
  const job = async (session: SessionSummary): Promise<R> => {
    const reason = findSkipReason(session, run, context);
    if (reason !== undefined) return run.toResult(toSkipped(session, 'skip', reason));
    if (!run.applies) return run.change(session);
    return enqueue(run.findFamily?.(session), () =>
      holdSession(session.agent, session.path, () => run.change(session)),
    );
  };
  const outcomes = await runSessions(sessions, job, { label, jobs, context });
  return outcomes.map((outcome) => {
    if (outcome.ok) return outcome.value;
    const { item, error } = outcome;
    const { explicit, refusals = NOT_SUPPORTED } = run;
    const isRefused = refusals.has(error.code) && !explicit.has(item.path);
    const isSkipped = toSkipReason(error) !== undefined || isRefused;
    const action = isSkipped ? 'skip' : 'fail';
    return run.toResult(toSkipped(item, action, error.message));
  });
}

export function toSkipped(
  { path, size }: Pick<SessionSummary, 'path' | 'size'>,
  action: 'skip' | 'fail',
  reason: string,
): SkippedSession {
  return { path, action, reasons: [reason], bytesBefore: size, bytesAfter: size };
}

/**
 * Ends a run that could do nothing, since no session in it is of an agent that has the capability.
 * @throws UsageError with the reason.
 */
export function requireAgent(
  sessions: readonly SessionSummary[],
  asked: string,
  findObstacle: (agent: Agent) => string | undefined,
): void {
  const obstacles = sessions.map(({ agent }) => findObstacle(agent));
  const [obstacle] = obstacles;
  if (obstacle === undefined || obstacles.some((one) => one === undefined)) return;
  throw new UsageError(`${asked}: ${obstacle}`);
}

/** Finds the reason why a session must not be changed now: it is linked, in use, or cannot be read. */
function findSkipReason(
  session: SessionSummary,
  { linked, grace }: Pick<ChangeRun<ActionResult>, 'linked' | 'grace'>,
  context: Context,
): string | undefined {
  if (linked.has(session.path)) return LINKED_TO_CHANGE;
  return findRefusal(session, grace, context.now(), context) ?? session.problem?.message;
}
