import { join } from 'node:path';
import type { ExitCode } from '../../../errors.ts';
import { describeError } from '../../../session/model/action.ts';
import { createPruneColumns, type PruneResult } from '../../../report/prune/columns.ts';
import {
  planRetention,
  type StateDecision,
} from '../../../store/prune/retention/archive-retention.ts';
import { openStateRemover } from '../../../store/prune/retention/remove-states.ts';
import type { Context } from '../../command.ts';
import { reportActions } from '../../shared/output/report-actions.ts';
import { listResults, runSessions } from '../../shared/run-sessions.ts';
import { toProblem } from '../../../store/select/found-file.ts';
import { describeKept } from '../../../store/prune/removal-result.ts';
import { toStateResult } from './archived-result.ts';
import type { PruneRequest, RetentionTask } from '../request.ts';

/** Runs `coppice prune --in-archive <dir>`: decides which states an archive keeps. */
export async function runRetention(
  { select, output, task }: PruneRequest<RetentionTask>,
  context: Context,
): Promise<ExitCode> {
  const { apply, states, rules } = task;
  const directory = task.directory.path;
  const run = { now: context.now(), signal: context.signal };
  const plan = await planRetention(directory, { rules, states }, run);
  const remove = apply ? await openStateRemover(directory, plan.decisions, context) : undefined;
  const decide = async (decision: StateDecision): Promise<PruneResult> => {
    const { action, reasons } = decision;
    if (action === 'keep' || !remove) return toResult(directory, decision, action, reasons);
    const kept = describeKept(await remove(decision));
    return kept === undefined
      ? toResult(directory, decision, 'remove', reasons)
      : toResult(directory, decision, 'skip', [kept]);
  };
  // A state may have been removed before the one that was asked for.
  const toStopped = apply ? decide : undefined;
  const batch = { label: 'Removing', jobs: select.jobs, context, toStopped };
  const outcomes = await runSessions(plan.decisions, decide, batch);
  const results = listResults(outcomes, (item, error) =>
    toResult(directory, item, 'fail', [describeError(error, item.state.facts.path)]),
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
