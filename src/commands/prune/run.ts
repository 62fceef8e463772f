import type { ExitCode } from '../../errors.ts';
import type { FooterWords } from '../../report/actions/footer.ts';
import { createPruneColumns, type PruneResult } from '../../report/prune/columns.ts';
import type { Decision } from '../../session/prune/policy.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { type Departure, describeFailure, describeStay } from '../../store/prune/departure.ts';
import { openRemover } from '../../store/prune/remove.ts';
import type { PlannedSession } from '../../store/remove/plan-file.ts';
import { reportActions } from '../shared/report-actions.ts';
import { runSessions } from '../shared/run-sessions.ts';
import type { Context } from '../command.ts';
import type { PruneRequest, RemovalTask } from './request.ts';
import { planByFile, savePlan } from './plan-file.ts';
import { getFiles, planByRules, type PrunePlan } from './plan.ts';

/** Plans, shows and, if told to, removes. */
export async function runPrune(
  request: PruneRequest<RemovalTask>,
  context: Context,
): Promise<ExitCode> {
  const { task } = request;
  const { applies: applied, planOut } = task;
  const plan =
    task.plan === undefined
      ? await planByRules(request, context)
      : await planByFile(task.plan, request, context);
  const problems = [...plan.problems];
  if (planOut) problems.push(...(await savePlan(planOut.path, plan, request, context)));
  const departures = applied ? await removeLeaving(plan, request, context) : undefined;
  const decided = plan.decisions.map((decision) => toResult(decision, departures));
  const strayed = [...plan.strayed.values()].map(({ planned, why }) => toSkipped(planned, why));
  const report = {
    command: 'prune',
    applied,
    results: [...decided, ...strayed],
    columns: createPruneColumns(context.now(), context.home),
    isShown: ({ selected }: PruneResult) => selected,
    problems,
    words: chooseWords(task),
  };
  return reportActions(report, request.report, context);
}

/**
 * Removes sessions. A signal ends this between two sessions, and what was done till then is reported.
 * Keyed by session; a text says why one failed.
 */
async function removeLeaving(
  plan: PrunePlan,
  { select, task }: PruneRequest<RemovalTask>,
  context: Context,
): Promise<ReadonlyMap<Candidate, Departure | string>> {
  const leaving = plan.decisions
    .filter(({ action, owner }) => action === 'remove' && !owner)
    .map(({ candidate }) => ({ candidate, files: getFiles(plan.files, candidate.path) }));
  const outcomes = await runSessions(
    leaving,
    await openRemover(task.destination, context, leaving),
    {
      label: 'Removing',
      jobs: select.jobs,
      // The run's own signal would throw away the account of what is done.
      context: { ...context, signal: new AbortController().signal },
    },
  );
  return new Map(
    outcomes.map(({ item: { candidate }, ...outcome }) => [
      candidate,
      outcome.ok ? outcome.value : describeFailure(outcome.error, candidate),
    ]),
  );
}

function toResult(
  decision: Decision,
  departures: Awaited<ReturnType<typeof removeLeaving>> | undefined,
): PruneResult {
  const { candidate, action, reasons, owner } = decision;
  const { path, agent, id, cwd, name, title, modified, bytes, selected, unjudged } = candidate;
  const lastActive = agent === null ? null : new Date(modified).toISOString();
  const facts = {
    path,
    agent,
    id,
    cwd,
    name,
    title,
    lastActive,
    selected: selected || unjudged !== undefined || action === 'remove',
  };
  const stays = { bytesBefore: bytes, bytesAfter: bytes };
  if (action === 'keep') return { ...facts, action, reasons, ...stays };
  const departure = departures?.get(owner ?? candidate);
  if (typeof departure === 'string') {
    return { ...facts, action: 'fail', reasons: [departure], ...stays };
  }
  const stay = departure && describeStay(departure);
  if (stay !== undefined) return { ...facts, action: 'skip', reasons: [stay], ...stays };
  return {
    ...facts,
    action,
    reasons,
    bytesBefore: bytes,
    ...toLeft(departure, owner === undefined),
  };
}

/** What is left of a session on this disk; of what goes along with another, that one tells. */
function toLeft(
  departure: Departure | undefined,
  tells: boolean,
): Pick<PruneResult, 'bytesAfter' | 'archived'> {
  const { archivedBytes = 0, archived } = departure ?? {};
  return archived !== undefined && tells
    ? { bytesAfter: archivedBytes, archived }
    : { bytesAfter: 0 };
}

function toSkipped(
  { path, title, cwd, lastActive, bytes }: PlannedSession,
  why: string,
): PruneResult {
  const facts = { path, agent: null, id: '', cwd, name: null, title, selected: true };
  const time = lastActive === '' ? null : lastActive;
  const sizes = { bytesBefore: bytes, bytesAfter: bytes };
  return { ...facts, lastActive: time, action: 'skip', reasons: [why], ...sizes };
}

function chooseWords({ planOut, destination }: RemovalTask): FooterWords {
  const words = { verb: 'remove', past: 'Removed' };
  if (planOut) {
    const { given } = planOut;
    return { ...words, how: `edit ${given}, then coppice prune --plan ${given} --apply` };
  }
  if (destination.kind === 'nowhere') return { ...words, how: 'add --apply' };
  if (destination.kind === 'archive') {
    const { given } = destination.directory;
    const freed = (size: string): string => ` into ${given} and freed ${size}`;
    return { ...words, how: 'add --apply', freed };
  }
  return {
    ...words,
    how: 'add --apply (to the trash), --apply --archive <dir>, or --apply --delete',
    freed: (size) => `; moved ${size} to the trash`,
  };
}
