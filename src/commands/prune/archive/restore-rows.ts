import { runBatch } from '../../../batch/run-batch.ts';
import type { ExitCode } from '../../../errors.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import { createRestoreColumns, toOmission } from '../../../report/prune/restore-columns.ts';
import { restoreRows } from '../../../store/database/restore-rows.ts';
import { requireSqlite } from '../../../store/database/sqlite.ts';
import { reportActions } from '../../shared/output/report-actions.ts';
import type { Context } from '../../command.ts';
import type { PruneRequest, RowsTask } from '../request.ts';

/**
 * Runs `coppice prune --restore <session>.rows.json`: restores the rows of a session that came back
 * from the trash.
 */
export async function runRowsRestore(
  { select, output, task }: PruneRequest<RowsTask>,
  context: Context,
): Promise<ExitCode> {
  const { files, apply } = task;
  if (apply) requireSqlite();
  const restore = (file: string) => restoreRows(file, { apply });
  const outcomes = await runBatch(files, restore, { jobs: select.jobs, signal: context.signal });
  const results = outcomes.map((outcome) => {
    if (!outcome.ok) return toResult(outcome.item, 'fail', outcome.error.message);
    const { path, added, omitted } = outcome.value;
    const result =
      !apply || added > 0
        ? toResult(path, 'restore', 'its rows')
        : toResult(path, 'unchanged', 'its rows already exist');
    const omission = toOmission(omitted);
    return { ...result, ...omission, reasons: [...result.reasons, ...omission.reasons] };
  });
  const report = {
    command: 'prune',
    applied: apply,
    results,
    columns: createRestoreColumns(context.now(), context.home, results),
    problems: [],
    words: { verb: 'restore', past: 'Restored', how: 'leave out --dry-run' },
  };
  return reportActions(report, output, context);
}

function toResult(
  path: string,
  action: 'restore' | 'unchanged' | 'fail',
  reason: string,
): PruneResult {
  const facts = { agent: null, id: '', cwd: '', name: null, title: '', lastActive: null };
  const sizes = { bytesBefore: 0, bytesAfter: 0 };
  return { path, ...facts, selected: true, action, reasons: [reason], ...sizes };
}
