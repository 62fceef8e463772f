import type { ExitCode } from '../../errors.ts';
import type { FooterWords } from '../../report/actions/footer.ts';
import { formatCounted, formatSize } from '../../report/text/numbers.ts';
import { createPruneColumns, type PruneResult } from '../../report/prune/columns.ts';
import type { Excess } from '../../session/prune/budget.ts';
import type { Decision } from '../../session/prune/policy.ts';
import { type AppliedPlan, applyPlan, type PlanRun } from '../../store/prune/apply-plan.ts';
import type { PlannedSession } from '../../store/prune/plan-file.ts';
import { reportActions } from '../shared/output/report-actions.ts';
import { runSessions } from '../shared/run-sessions.ts';
import type { Context } from '../command.ts';
import type { PruneRequest, RemovalTask } from './request.ts';
import { planByFile } from './plan-by-file.ts';
import { planByRules, type PrunePlan } from './plan.ts';
import { savePlan } from './save-plan.ts';

/** Plans and shows the removals, and with `--apply` makes them. */
export async function runPrune(
  request: PruneRequest<RemovalTask>,
  context: Context,
): Promise<ExitCode> {
  // The plan is not held while the report is laid out.
  const { excess, ...report } = await planAndApply(request, context);
  const exitCode = await reportActions(report, request.output, context);
  if (excess) await context.terminal.err.write(`coppice: ${describeExcess(excess)}\n`);
  return exitCode;
}

function describeExcess({ limits, bytes, sessions }: Excess): string {
  const counted = `${formatCounted(sessions, 'session')}, ${formatSize(bytes)}`;
  return `the budget is not met: what is kept is still ${limits.join(' and ')} (${counted})`;
}

async function planAndApply(request: PruneRequest<RemovalTask>, context: Context) {
  const { task, select } = request;
  const { apply, decidedBy } = task;
  const plan =
    decidedBy.kind === 'rules'
      ? await planByRules(decidedBy, request, context)
      : await planByFile(decidedBy, request, context);
  const done = await applyPlan(plan, toRun(plan, request, context));
  const saved =
    decidedBy.kind === 'rules' ? await savePlan(decidedBy, plan, done, { select, context }) : [];
  const decided = done.decisions.map((decision) => toResult(decision, done));
  const mismatched = [...plan.mismatched.values()].map(({ planned, why }) =>
    toSkipped(planned, why),
  );
  return {
    command: 'prune',
    applied: apply,
    results: [...decided, ...mismatched],
    columns: createPruneColumns(context.now(), context.home),
    isShown: ({ selected }: PruneResult) => selected,
    problems: [...plan.problems, ...saved, ...done.problems],
    words: chooseWords(task),
    excess: plan.excess,
  };
}

function toRun(
  { flattening, stores }: PrunePlan,
  { select, task }: PruneRequest<RemovalTask>,
  context: Context,
): PlanRun {
  const { apply, destination, takesHistory } = task;
  return {
    apply,
    destination,
    flattening,
    prompts: takesHistory ? { stores, agent: select.selection.agent } : undefined,
    world: context,
    visit: (targets, remove) =>
      runSessions(targets, remove, {
        label: 'Removing',
        jobs: select.jobs,
        context,
        // The outcome of one that is left is asked for at the end.
        toStopped: () => undefined,
      }),
  };
}

function toResult(
  { candidate, reasons }: Decision,
  { removals, flattened }: AppliedPlan,
): PruneResult {
  const { path, agent, id, cwd, name, title, modified, bytes, selected, unjudged } = candidate;
  const removal = removals.get(candidate);
  const lastActive = agent === null ? null : new Date(modified).toISOString();
  const fork = flattened.get(candidate);
  if (fork) {
    const why = [...reasons, 'holds its whole path, and needs no other file', ...fork.notices];
    const bytesAfter = bytes + fork.bytesAfter - fork.bytesBefore;
    const sizes = { bytesBefore: bytes, bytesAfter };
    const facts = { path, agent, id, cwd, name, title, lastActive, selected: true };
    return { ...facts, action: 'flatten', reasons: why, ...sizes };
  }
  if (removal) {
    return { path, agent, id, cwd, name, title, lastActive, selected: true, ...removal };
  }
  // Most are kept: for each object that gets members after a spread, V8 makes a class.
  return {
    path,
    agent,
    id,
    cwd,
    name,
    title,
    lastActive,
    selected: selected || unjudged !== undefined,
    action: 'keep',
    reasons,
    bytesBefore: bytes,
    bytesAfter: bytes,
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
    return {
      ...words,
      how: 'add --apply',
      freed: (size) => ` into ${given} and freed ${size}`,
      // The archive's own size is known only once it is written.
      wouldFree: (size) => ` into ${given} and free at most ${size}`,
    };
  }
  return {
    ...words,
    how: 'add --apply (to the trash), --apply --archive <dir>, or --apply --delete',
    freed: (size) => `; moved ${size} to the trash`,
  };
}
