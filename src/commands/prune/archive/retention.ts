import { join } from 'node:path';
import type { ExitCode } from '../../../errors.ts';
import { createPruneColumns, type PruneResult } from '../../../report/prune/columns.ts';
import {
  planRetention,
  removeState,
  type StateDecision,
} from '../../../store/prune/retention/archive-retention.ts';
import type { Context } from '../../command.ts';
import { reportActions } from '../../shared/output/report-actions.ts';
import { runSessions } from '../../shared/run-sessions.ts';
import { toProblem } from '../../../store/select/found-file.ts';
import { STOPPED } from '../../../session/model/action.ts';
import { CHANGED } from '../../../store/prune/removal-result.ts';
import { toStateResult } from './archived-result.ts';
import type { PruneRequest, RetentionTask } from '../request.ts';

/** Runs `coppice prune --in-archive <dir>`: decides which states an archive keeps. */
export async function runRetention(
  { select, output, task }: PruneRequest<RetentionTask>,
  context: Context,
): Promise<ExitCode> {
  const { apply, states, rules } = task;
  const directory = task.directory.path;
  const plan = await planRetention(directory, { rules, states }, context.now());
  const decide = async (decision: StateDecision): Promise<PruneResult> => {
    const { action, reasons } = decision;
    if (action === 'keep' || !apply) return toResult(directory, decision, action, reasons);
    const isRemoved = await removeState(directory, decision, context.now());
    return isRemoved
      ? toResult(directory, decision, 'remove', reasons)
      : toResult(directory, decision, 'skip', [CHANGED]);
  };
  const toStoppedResult = (one: StateDecision): PruneResult =>
    one.action === 'keep'
      ? toResult(directory, one, 'keep', one.reasons)
      : toResult(directory, one, 'skip', [STOPPED]);
  const toStopped = apply ? toStoppedResult : undefined;
  const run = { label: 'Removing', jobs: select.jobs, context, toStopped };
  const outcomes = await runSessions(plan.decisions, decide, run);
  const results = outcomes.map((outcome) =>
    outcome.ok ? outcome.value : toResult(directory, outcome.item, 'fail', [outcome.error.message]),
  );
  const words = { verb: 'remove', past: 'Removed', noun: 'state', how: 'add --apply' };
  return reportActions(
    {
      command: 'prune',
      applied: apply,
      results,
      columns: createPruneColumns(context.now(), context.home),
      problems: plan.problems.map(toProblem),
      words,
    },
    output,
    context,
  );
}

function toResult(
  directory: string,
  { state: { member, bytes, facts } }: StateDecision,
  action: 'keep' | 'remove' | 'skip' | 'fail',
  reasons: readonly string[],
): PruneResult {
  return toStateResult(facts, {
    path: facts.path,
    action,
    reasons,
    bytesBefore: bytes,
    bytesAfter: action === 'remove' ? 0 : bytes,
    archived: join(directory, member),
  });
}
