import { createKeyedQueue } from '../../session/jsonl/files/keyed-queue.ts';
import { type ErrorCode, type ExitCode, UsageError } from '../../errors.ts';
import type { FooterWords } from '../../report/actions/footer.ts';
import { formatCounted } from '../../report/text/numbers.ts';
import type { Column } from '../../report/text/table.ts';
import type { Agent } from '../../session/model/agent.ts';
import {
  type ActionResult,
  LINKED_TO_CHANGE,
  describeError,
  STOPPED,
  toSkipReason,
  toUnchanged,
} from '../../session/model/action.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import { isPassedOver } from '../../store/select/found-file.ts';
import { findRefusal } from '../../store/sessions/find-use.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import type { Context } from '../command.ts';
import { cleanUp } from './clean-up.ts';
import { reportActions, hidesUnchanged } from './output/report-actions.ts';
import type { ChangesRequest } from './requests.ts';
import { listResults, runSessions } from './run-sessions.ts';
import { type FindOptions, findSessions, type FoundSessions } from './select/sessions.ts';

/** The result for a session that was skipped, or failed, and is as it was. */
export interface SkippedSession extends ActionResult {
  readonly action: 'skip' | 'fail';
}

/** A command that changes sessions in their own files, with the words of its report. */
export interface Changes<C extends string, R extends ActionResult> {
  readonly command: C;
  readonly words: FooterWords;
  readonly columns?: readonly Column<R>[];
  /** Counts the bytes of a session that are kept in files beside the new one; none unless given. */
  readonly countKept?: (result: R) => number;
  /** Finds what failed in a session that was changed; nothing unless given. */
  readonly findProblem?: (result: R) => FileProblem | undefined;
  /** The word of the progress bar, as in `Reducing`. */
  readonly label: string;
  /** The option or command in messages, such as `--compress`. */
  readonly asked: string;
  /** The reason why sessions of an agent cannot have it. */
  readonly findObstacle: (agent: Agent) => string | undefined;
  readonly find?: Partial<FindOptions>;
  /** How many sessions are worked on at once, if not as many as files are read. */
  readonly jobs?: number;
  /** Directories in which a killed run may have left files beside these sessions; none unless given. */
  readonly listDirectories?: (sessions: readonly SessionSummary[]) => readonly string[];
  /** Makes the function that changes one of the sessions. */
  readonly start: (sessions: readonly SessionSummary[]) => (session: SessionSummary) => Promise<R>;
  /** Sessions with the same one are changed one after another: what is done to one may change another. */
  readonly findFamily?: (session: SessionSummary) => string | undefined;
  /** Adds the fields of this command's results. */
  readonly toResult: (skipped: SkippedSession) => R;
  /**
   * The codes of errors that skip a session which was not named; unless given, that it or its agent has nothing of
   * the kind.
   */
  readonly refusals?: ReadonlySet<ErrorCode>;
}

/** The outcome of a run, once it was reported. */
export interface ChangesOutcome<R> {
  readonly exitCode: ExitCode;
  readonly results: readonly R[];
}

/**
 * Changes the selected sessions, and reports what was done, or would be.
 * @throws UsageError if none of the agents has what was asked for; whatever a change throws that is not a FileError.
 */
export async function runChanges<C extends string, R extends ActionResult>(
  request: ChangesRequest,
  changes: Changes<C, R>,
  context: Context,
): Promise<ChangesOutcome<R>> {
  const { select, output, change } = request;
  const { command, words, columns, countKept, findProblem, asked, findObstacle } = changes;
  const found = await findSessions(select, context, { usage: false, ...changes.find });
  const { sessions, linked } = found;
  const { agent: only } = select.selection;
  requireAgent(only ? [only] : sessions.map(({ agent }) => agent), asked, findObstacle);
  const own = sessions.filter(({ path }) => !linked.has(path));
  const directories = change.apply ? (changes.listDirectories?.(own) ?? []) : [];
  const left = await cleanUp(directories, select.jobs, context);
  const results = await changeSessions(found, request, changes, context);
  const beside = findBeside(found, results, findObstacle);
  const isOwn = hidesUnchanged(found.explicit);
  const report = {
    command,
    applied: change.apply,
    results,
    problems: [...found.problems, ...left, ...results.flatMap((one) => findProblem?.(one) ?? [])],
    columns,
    countKept,
    isShown: (result: R) => isOwn(result) && !beside.has(result.path),
    words,
  };
  const exitCode = await reportActions(report, output, context);
  if (output.format === 'table' && !output.quiet) {
    await context.terminal.err.write(formatBeside([...beside.values()], findObstacle));
  }
  return { exitCode, results };
}

/**
 * Finds the sessions, with their agents, that are skipped as nothing of the kind is in any session of their agent: in a
 * run over all stores they would hide the others in the table.
 */
function findBeside(
  { sessions, explicit }: FoundSessions,
  results: readonly ActionResult[],
  findObstacle: (agent: Agent) => string | undefined,
): ReadonlyMap<string, Agent> {
  const skipped = new Set(
    results.filter(({ action }) => action === 'skip').map(({ path }) => path),
  );
  const beside = sessions.filter(
    ({ path, agent }) =>
      skipped.has(path) && !explicit.has(path) && findObstacle(agent) !== undefined,
  );
  return new Map(beside.map(({ path, agent }) => [path, agent]));
}

/** Formats one line for each agent. */
function formatBeside(
  agents: readonly Agent[],
  findObstacle: (agent: Agent) => string | undefined,
): string {
  const lines = [...new Set(agents)].map((agent) => {
    const count = agents.filter((one) => one === agent).length;
    const skipped = `${formatCounted(count, 'session')} of ${agent} skipped`;
    return `coppice: ${skipped}: ${findObstacle(agent) ?? ''}\n`;
  });
  return lines.join('');
}

const NOT_SUPPORTED: ReadonlySet<ErrorCode> = new Set(['not-supported']);

/**
 * Changes each session that may be changed now; the others are skipped, with the reason. Results are in
 * the order of the sessions.
 */
async function changeSessions<C extends string, R extends ActionResult>(
  { sessions, linked, explicit }: FoundSessions,
  { select, change: { apply, grace } }: ChangesRequest,
  changes: Changes<C, R>,
  context: Context,
): Promise<readonly R[]> {
  const { label, jobs = select.jobs, toResult, findFamily, refusals = NOT_SUPPORTED } = changes;
  const change = changes.start(sessions);
  const enqueue = createKeyedQueue();
  const job = async (session: SessionSummary): Promise<R> => {
    const { agent, path, problem } = session;
    const reason = linked.has(path)
      ? LINKED_TO_CHANGE
      : (findRefusal(session, { grace, now: context.now(), world: context }) ?? problem?.message);
    if (reason !== undefined) return toResult(toUnchanged(session, 'skip', [reason]));
    if (!apply) return change(session);
    return enqueue(findFamily?.(session), () => holdSession(agent, path, () => change(session)));
  };
  const toStoppedResult = (session: SessionSummary): R =>
    toResult(toUnchanged(session, 'skip', [STOPPED]));
  const toStopped = apply ? toStoppedResult : undefined;
  const outcomes = await runSessions(sessions, job, { label, jobs, context, toStopped });
  return listResults(outcomes, (item, error) => {
    const { path } = item;
    const isRefused = refusals.has(error.code) && !explicit.has(path);
    const isOver = isPassedOver({ path, explicit: explicit.has(path) }, error);
    const isSkipped = toSkipReason(error) !== undefined || isRefused || isOver;
    return toResult(toUnchanged(item, isSkipped ? 'skip' : 'fail', [describeError(error, path)]));
  });
}

/**
 * Ends a run that could do nothing, since none of the agents has the capability: the one of `--agent`, or those of the
 * sessions. @throws UsageError with the reason.
 */
function requireAgent(
  agents: readonly Agent[],
  asked: string,
  findObstacle: (agent: Agent) => string | undefined,
): void {
  const obstacles = agents.map(findObstacle);
  const [obstacle] = obstacles;
  if (obstacle === undefined || obstacles.some((one) => one === undefined)) return;
  throw new UsageError(`${asked}: ${obstacle}`);
}
