import type { ExitCode } from '../../../errors.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import {
  createRestoreColumns,
  RESTORE_WORDS,
  toOmission,
} from '../../../report/prune/restore-columns.ts';
import { restoreRows } from '../../../store/database/restore-rows.ts';
import { requireSqlite } from '../../../store/database/sqlite.ts';
import { runSessions } from '../../shared/run-sessions.ts';
import { stoppedError } from '../../../session/model/action.ts';
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
  const throwStopped = (file: string): never => {
    throw stoppedError(file);
  };
  const run = { label: 'Restoring', jobs: select.jobs, context };
  const outcomes = await runSessions(files, restore, {
    ...run,
    toStopped: apply ? throwStopped : undefined,
  });
  const results = outcomes.map((outcome) => {
    if (!outcome.ok) {
      const { item, error } = outcome;
      return toResult(item, error.code === 'stopped' ? 'skip' : 'fail', error.message);
    }
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
    words: RESTORE_WORDS,
  };
  return reportActions(report, output, context);
}

function toResult(
  path: string,
  action: 'restore' | 'unchanged' | 'skip' | 'fail',
  reason: string,
): PruneResult {
  const facts = { agent: null, id: '', cwd: '', name: null, title: '', lastActive: null };
  const sizes = { bytesBefore: 0, bytesAfter: 0 };
  return { path, ...facts, selected: true, action, reasons: [reason], ...sizes };
}
