import type { Outcome } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import type { CheckedFile, FindingsReport } from '../../report/findings/format.ts';
import type { Problem } from '../../session/model/summary.ts';
import { getFileSize } from '../../store/files/stat-file.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { withProgress } from '../shared/run-sessions.ts';
import { findProblems, type FoundFile } from '../../store/select/found-file.ts';
import type { FoundFiles } from '../shared/select/files.ts';
import { STOPPED, STOPPED_CODE } from '../../session/model/action.ts';
import { type Checked, task as checkTask } from './task.ts';
import type { ValidateRequest } from './request.ts';

export interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  readonly unrepaired: readonly { readonly path: string; readonly problem: Problem }[];
  readonly fixed: FindingsReport['fixed'];
  /** Paths of the files that were changed. */
  readonly repaired: readonly string[];
}

/** Checks every file, after repairing it if `--fix` asks for that. */
export async function checkFiles(
  found: FoundFiles,
  request: ValidateRequest,
  context: Context,
): Promise<CheckedFiles> {
  const { fix } = request;
  const writes = fix !== undefined && !fix.dryRun;
  const own = found.files.filter(({ linked }) => !linked);
  const written = writes ? own.map(({ path }) => path) : [];
  const { jobs } = request.select;
  const problems = [...found.problems, ...(await cleanUpBeside(written, jobs, context))];
  const outcomes = await runChecks(found.files, request, context);
  const checked = outcomes.flatMap((outcome) => (outcome.ok ? [outcome] : []));
  const count = checked.reduce((sum, { value }) => sum + value.repaired.length, 0);
  return {
    files: [
      ...problems.map((one) => ({ ...one, findings: [] })),
      ...outcomes.flatMap(toCheckedFiles),
    ],
    unrepaired: checked.flatMap(({ item, value }) =>
      value.unrepaired.map((message) => ({
        path: item.path,
        problem: { code: value === LEFT ? STOPPED_CODE : 'not-fixed', message },
      })),
    ),
    repaired: checked.flatMap(({ item, value }) =>
      value.repaired.length > 0 && writes ? item.path : [],
    ),
    fixed: fix ? { count, dryRun: fix.dryRun } : undefined,
  };
}

async function runChecks(
  files: readonly FoundFile[],
  { select: { jobs }, levels, fix: asked }: ValidateRequest,
  context: Context,
): Promise<readonly CheckOutcome[]> {
  const { now, signal, env } = context;
  const fix = asked && { ...asked, now: now() };
  return withProgress('Checking', files.length, context, (onDone) =>
    runTask(checkTask, { ...levels, fix }, files, {
      jobs,
      signal,
      env,
      getSize: ({ path }) => getFileSize(path),
      onDone,
      toStopped: asked?.dryRun === false ? () => LEFT : undefined,
    }),
  );
}

type CheckOutcome = Outcome<FoundFile, Checked>;

/** The outcome for a file that is left when a run that repairs is stopped. */
const LEFT: Checked = { findings: [], repaired: [], unrepaired: [`not repaired: ${STOPPED}`] };

function toCheckedFiles(outcome: CheckOutcome): readonly CheckedFile[] {
  if (outcome.ok) {
    const { findings, repaired, failure: problem } = outcome.value;
    return [{ path: outcome.item.path, findings, repaired, problem, isChecked: true }];
  }
  return findProblems(outcome.item, outcome.error).map((one) => ({ ...one, findings: [] }));
}
