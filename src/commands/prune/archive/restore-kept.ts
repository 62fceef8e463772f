import { type ExitCode, FileError } from '../../../errors.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import {
  createKeptColumns,
  RESTORE_WORDS,
  toOmission,
} from '../../../report/prune/restore-columns.ts';
import { getSessionPath } from '../../../session/dialect/surroundings/history.ts';
import { stoppedError, STOPPED_CODE } from '../../../session/model/action.ts';
import { isRowsFile, restoreRows } from '../../../store/database/restore-rows.ts';
import { requireSqlite } from '../../../store/database/sqlite.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { isThere } from '../../../store/files/stat-file.ts';
import { findPlace } from '../../../store/prune/prompts/prompt-list.ts';
import {
  PromptRestorer,
  type RestoredPrompts,
} from '../../../store/prune/prompts/restore-prompts.ts';
import { formatCounted } from '../../../report/text/numbers.ts';
import type { Context } from '../../command.ts';
import { reportActions } from '../../shared/output/report-actions.ts';
import { runSessions } from '../../shared/run-sessions.ts';
import type { KeptTask, PruneRequest } from '../request.ts';

/**
 * Runs `coppice prune --restore <file>` for the files that prune makes beside a session, and that came back with it from
 * the trash: restores its rows in databases, and its prompts in the list of them.
 */
export async function runKeptRestore(
  { select, output, task }: PruneRequest<KeptTask>,
  context: Context,
): Promise<ExitCode> {
  const { files, apply } = task;
  if (files.some(isRowsFile)) requireSqlite();
  const restore = (file: string): Promise<PruneResult> =>
    isRowsFile(file) ? restoreOwnRows(file, apply) : findPrompts(file);
  const throwStopped = (file: string): never => {
    throw stoppedError(file);
  };
  const outcomes = await runSessions(files, restore, {
    label: 'Restoring',
    jobs: select.jobs,
    context,
    toStopped: apply ? throwStopped : undefined,
  });
  const prompts = outcomes.flatMap((one) => (one.ok && !isRowsFile(one.item) ? [one.value] : []));
  const restorer = new PromptRestorer(prompts, { now: context.now(), world: context });
  const added: RestoredPrompts = apply ? await restorer.restore(prompts) : new Map();
  const results = outcomes.map((outcome) => {
    if (outcome.ok) return withPrompts(outcome.value, added.get(outcome.value));
    const { item, error } = outcome;
    return toResult(item, error.code === STOPPED_CODE ? 'skip' : 'fail', error.message);
  });
  const report = {
    command: 'prune',
    applied: apply,
    results,
    columns: createKeptColumns(context.home),
    problems: [],
    words: RESTORE_WORDS,
  };
  return reportActions(report, output, context);
}

async function restoreOwnRows(file: string, apply: boolean): Promise<PruneResult> {
  const { path, added, omitted } = await restoreRows(file, { apply });
  const which = omitted.length > 0 ? 'its other rows' : 'its rows';
  const result =
    !apply || added > 0
      ? toResult(path, 'restore', 'its rows')
      : toResult(path, 'unchanged', `${which} already exist`);
  const omission = toOmission(omitted);
  return { ...result, ...omission, reasons: [...result.reasons, ...omission.reasons] };
}

/**
 * Finds the session whose prompts a file has.
 * @throws FileError where there is none, or its agent keeps no list of prompts of a session at that place.
 */
async function findPrompts(file: string): Promise<PruneResult> {
  if (!(await isThere(file)))
    throw new FileError(file, 'ENOENT', 'cannot read: no such file or directory');
  const beside = getSessionPath(file);
  const session = (await isThere(beside)) && (await summarizeSession(beside, { usage: false }));
  if (!session || 'kind' in session || !findPlace(session)) {
    const message = 'is not beside a session whose agent keeps a list of prompts there';
    throw new FileError(file, 'not-a-session', message);
  }
  const { agent, id, path } = session;
  return { ...toResult(path, 'restore', 'its prompts'), agent, id };
}

/** `added`: how many prompts were missing in the list, or why none was added. */
function withPrompts(result: PruneResult, added: number | FileError | undefined): PruneResult {
  if (added === undefined) return result;
  if (added instanceof FileError) return { ...result, action: 'fail', reasons: [added.message] };
  return added === 0
    ? { ...result, action: 'unchanged', reasons: ['its prompts already exist'] }
    : { ...result, reasons: [`its ${formatCounted(added, 'prompt')}`] };
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
