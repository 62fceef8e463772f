import { formatCounted } from '../../report/text/numbers.ts';
import { type ExitCode, FileError, UsageError } from '../../errors.ts';
import type { FooterWords } from '../../report/actions/footer.ts';
import { createPruneColumns, type PruneResult } from '../../report/prune/columns.ts';
import { type Decision, isRemoval } from '../../session/prune/policy.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import {
  type RemovalResult,
  describeFailure,
  describeKept,
  toRemaining,
} from '../../store/prune/removal-result.ts';
import { openRemover } from '../../store/prune/remove.ts';
import { PromptHistory } from '../../store/prune/prompts/prompt-history.ts';
import { hasHistory } from '../../store/prune/prompts/prompt-list.ts';
import { type RemovalTarget, requireRowWriting } from '../../store/remove/remove-whole.ts';
import { type FlattenedForks, flattenForks } from '../../store/prune/forks/flatten-forks.ts';
import type { Flattened } from '../../session/fork/flatten-session.ts';
import type { PlannedSession } from '../../store/prune/plan-file.ts';
import { reportActions } from '../shared/output/report-actions.ts';
import { toProblem } from '../../store/select/found-file.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { runSessions } from '../shared/run-sessions.ts';
import type { Context } from '../command.ts';
import type { PruneRequest, RemovalTask } from './request.ts';
import { planByFile, savePlan } from './plan-by-file.ts';
import { getFiles, planByRules, type PrunePlan } from './plan.ts';

/** Plans and shows the removals, and with `--apply` makes them. */
export async function runPrune(
  request: PruneRequest<RemovalTask>,
  context: Context,
): Promise<ExitCode> {
  const { task } = request;
  const { applies: applied, decidedBy } = task;
  const unflattened =
    decidedBy.kind === 'rules'
      ? await planByRules(decidedBy, request, context)
      : await planByFile(decidedBy, request, context);
  const { decisions, forks } = await flatten(unflattened, task, context);
  const plan = { ...unflattened, decisions };
  const problems = [...plan.problems];
  if (decidedBy.kind === 'rules') {
    problems.push(...(await savePlan(decidedBy, plan, request.select.jobs, context)));
  }
  const history = await readHistory(plan, request, context.now());
  const removals = applied ? await removeAll(plan, history, request, context) : undefined;
  if (removals) problems.push(...(await removePrompts(history, removals)));
  const decided = plan.decisions.map((decision) => {
    const result = toResult(decision, removals, forks.get(decision.candidate));
    return notePrompts(result, decision, history);
  });
  const mismatched = [...plan.mismatched.values()].map(({ planned, why }) =>
    toSkipped(planned, why),
  );
  const report = {
    command: 'prune',
    applied,
    results: [...decided, ...mismatched],
    columns: createPruneColumns(context.now(), context.home),
    isShown: ({ selected }: PruneResult) => selected,
    problems,
    words: chooseWords(task),
  };
  return reportActions(report, request.report, context);
}

/**
 * Makes kept forks self-contained where they continue from what is to be removed.
 * @throws UsageError where nothing could be removed afterwards.
 */
async function flatten(
  { decisions, found, files }: PrunePlan,
  { decidedBy, applies }: RemovalTask,
  context: Context,
): Promise<FlattenedForks> {
  const policy = decidedBy.kind === 'rules' ? decidedBy.rules.policy : undefined;
  if (policy?.includeBases !== true) return { decisions, forks: new Map() };
  if (applies) await requireRowWriting(listRemovals(decisions, files));
  return flattenForks(decisions, found, {
    apply: applies,
    grace: policy.grace,
    now: context.now(),
    world: context,
    signal: context.signal,
  });
}

function listRemovals(
  decisions: readonly Decision[],
  files: PrunePlan['files'],
): readonly RemovalTarget[] {
  return decisions
    .filter(isRemoval)
    .map(({ candidate }) => ({ candidate, files: getFiles(files, candidate.path) }));
}

/**
 * Reads the lines that the prompt lists of agents have of the sessions to be removed.
 * @throws UsageError where no agent of the run keeps one, or a process may be about to write to it.
 */
async function readHistory(
  { decisions, stores }: PrunePlan,
  { task }: PruneRequest<RemovalTask>,
  now: number,
): Promise<PromptHistory | undefined> {
  if (!task.takesHistory) return undefined;
  if (decisions.length > 0 && !decisions.some(({ candidate }) => hasHistory(candidate.agent))) {
    throw new UsageError(NO_HISTORY);
  }
  const targets = decisions.filter(isRemoval).map(({ candidate }) => candidate);
  const all = decisions.map(({ candidate }) => candidate);
  try {
    return await PromptHistory.read(targets, all, stores, now);
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== 'in-use') throw error;
    throw new UsageError(`--history: ${error.path}: ${error.message}; nothing was removed`);
  }
}

const NO_HISTORY =
  '--history: no agent of these sessions keeps a list of all prompts that coppice changes; leave it out';

/** Removes these lines once the sessions are removed: until then the list is unchanged. */
async function removePrompts(
  history: PromptHistory | undefined,
  removals: ReadonlyMap<Candidate, RemovalResult | string>,
): Promise<readonly FileProblem[]> {
  if (!history) return [];
  const removed = [...removals].flatMap(([candidate, outcome]) =>
    typeof outcome !== 'string' && outcome.removal === 'removed' ? candidate : [],
  );
  return (await history.removeLines(removed)).map(toProblem);
}

function notePrompts(
  result: PruneResult,
  { candidate }: Decision,
  history: PromptHistory | undefined,
): PruneResult {
  const count = result.action === 'remove' ? (history?.count(candidate) ?? 0) : 0;
  if (count === 0) return result;
  const prompts = `with ${formatCounted(count, 'prompt')} of the prompt history`;
  return { ...result, reasons: [...result.reasons, prompts] };
}

/**
 * Removes sessions. A signal ends this between two sessions, and what was done till then is reported.
 * Keyed by session; a text says why one failed.
 */
async function removeAll(
  plan: PrunePlan,
  history: PromptHistory | undefined,
  { select, task }: PruneRequest<RemovalTask>,
  context: Context,
): Promise<ReadonlyMap<Candidate, RemovalResult | string>> {
  const targets = listRemovals(plan.decisions, plan.files);
  const removeFiles = await openRemover(task.destination, context, targets);
  const remove = async (one: RemovalTarget): Promise<RemovalResult> => {
    if (!history || context.signal.aborted) return removeFiles(one);
    return history.removeWith(one, removeFiles);
  };
  const outcomes = await runSessions(targets, remove, {
    label: 'Removing',
    jobs: select.jobs,
    // The run's own signal would throw away the account of what is done.
    context: { ...context, signal: new AbortController().signal },
  });
  return new Map(
    outcomes.map(({ item: { candidate }, ...outcome }) => [
      candidate,
      outcome.ok ? outcome.value : describeFailure(outcome.error, candidate),
    ]),
  );
}

function toResult(
  decision: Decision,
  removals: Awaited<ReturnType<typeof removeAll>> | undefined,
  flattened: Flattened | undefined,
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
  if (flattened) {
    const { bytesBefore, bytesAfter, notices } = flattened;
    const why = [...reasons, 'holds its whole path, and needs no other file', ...notices];
    const sizes = { bytesBefore: bytes, bytesAfter: bytes + bytesAfter - bytesBefore };
    return { ...facts, selected: true, action: 'flatten', reasons: why, ...sizes };
  }
  if (action === 'keep') return { ...facts, action, reasons, ...stays };
  const outcome = removals?.get(owner ?? candidate);
  if (typeof outcome === 'string') {
    return { ...facts, action: 'fail', reasons: [outcome], ...stays };
  }
  const kept = outcome && describeKept(outcome);
  if (kept !== undefined) return { ...facts, action: 'skip', reasons: [kept], ...stays };
  return {
    ...facts,
    action,
    reasons,
    bytesBefore: bytes,
    // The archive of a session that is removed along with another is in the result of that one.
    ...(outcome && owner === undefined ? toRemaining(outcome) : { bytesAfter: 0 }),
  };
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

function chooseWords({ decidedBy, destination }: RemovalTask): FooterWords {
  const words = {
    verb: 'remove',
    past: 'Removed',
    also: {
      action: 'flatten',
      preview: 'would be made self-contained',
      done: 'made self-contained',
    },
  } as const;
  if (decidedBy.kind === 'rules' && decidedBy.planOut) {
    const { given } = decidedBy.planOut;
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
