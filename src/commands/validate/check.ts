import type { Outcome } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import type { CheckedFile, FindingsReport } from '../../report/findings/format.ts';
import type { Problem } from '../../session/model/summary.ts';
import { getFileSize } from '../../store/files/stat-file.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { withProgress } from '../shared/run-sessions.ts';
import { findProblems, type FoundFile, splitLinked } from '../../store/select/found-file.ts';
import type { FoundFiles } from '../shared/select/files.ts';
import { LINKED_TO_CHANGE, STOPPED } from '../../session/model/action.ts';
import { type Checked, type CheckSetup, task as checkTask } from './task.ts';
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
  const split = fix ? splitLinked(found.files, (file) => file) : { own: found.files, linked: [] };
  const writes = fix !== undefined && !fix.dryRun;
  const written = writes ? split.own.map(({ path }) => path) : [];
  const { jobs } = request.select;
  const problems = [...found.problems, ...(await cleanUpBeside(written, jobs, context))];
  const outcomes = await runChecks(split, request, context);
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
        problem: { code: 'not-fixed', message },
      })),
    ),
    repaired: checked.flatMap(({ item, value }) =>
      value.repaired.length > 0 && writes ? item.path : [],
    ),
    fixed: fix ? { count, dryRun: fix.dryRun } : undefined,
  };
}

async function runChecks(
  { own, linked }: ReturnType<typeof splitLinked<FoundFile>>,
  { select: { jobs }, levels, fix: asked }: ValidateRequest,
  context: Context,
): Promise<readonly CheckOutcome[]> {
  const { now, signal, env } = context;
  const fix = asked && { ...asked, now: now() };
  return withProgress('Checking', own.length + linked.length, context, async (onDone) => {
    const options = {
      jobs,
      signal,
      env,
      getSize: ({ path }: FoundFile) => getFileSize(path),
      onDone,
      toStopped: asked?.dryRun === false ? () => LEFT : undefined,
    };
    const check = (files: readonly FoundFile[], setup: CheckSetup) =>
      runTask(checkTask, setup, files, options);
    const checked = await check(own, { ...levels, fix });
    const onlyChecked = await check(linked, { ...levels, fix: undefined });
    return [...checked, ...onlyChecked.map(skipLinked)];
  });
}

type CheckOutcome = Outcome<FoundFile, Checked>;

/** The outcome for a file that is left when a run that repairs is stopped. */
const LEFT: Checked = { findings: [], repaired: [], unrepaired: [`not repaired: ${STOPPED}`] };

/** Says so only where there is something to repair. */
function skipLinked(outcome: CheckOutcome): CheckOutcome {
  if (!outcome.ok || !outcome.value.findings.some(({ fixable }) => fixable)) return outcome;
  return {
    ...outcome,
    value: { ...outcome.value, unrepaired: [`not repaired: ${LINKED_TO_CHANGE}`] },
  };
}

function toCheckedFiles(outcome: CheckOutcome): readonly CheckedFile[] {
  if (outcome.ok) {
    const { findings, repaired } = outcome.value;
    return [{ path: outcome.item.path, findings, repaired }];
  }
  return findProblems(outcome.item, outcome.error).map((one) => ({ ...one, findings: [] }));
}
