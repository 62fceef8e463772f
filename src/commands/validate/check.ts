import type { Outcome } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import type { CheckedFile, FindingsReport } from '../../report/findings/format.ts';
import type { Problem } from '../../session/model/summary.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import { getFileSize } from '../../store/read/files/stat-file.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import type { Context } from '../command.ts';
import { withProgress } from '../shared/run-sessions.ts';
import { type FoundFiles, LINKED, listExplicit } from '../shared/select.ts';
import { type Checked, type CheckSetup, task as checkTask } from './task.ts';
import type { ValidateRequest } from './request.ts';

export interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  readonly notes: readonly { readonly path: string; readonly problem: Problem }[];
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
  const own = found.files.filter(({ linked }) => !fix || !linked);
  const others = found.files.filter(({ linked }) => fix && linked);
  const writes = fix !== undefined && !fix.dryRun;
  const written = writes ? own.map(({ path }) => path) : [];
  const { jobs } = request.select;
  const problems = [...found.problems, ...(await cleanUpBeside(written, jobs, context))];
  const explicit = listExplicit(found.files);
  const outcomes = await runChecks({ own, others }, request, context);
  const checked = outcomes.flatMap((outcome) => (outcome.ok ? [outcome] : []));
  const count = checked.reduce((sum, { value }) => sum + (value?.repaired ?? 0), 0);
  return {
    files: [
      ...problems.map((one) => ({ ...one, findings: [] })),
      ...outcomes.flatMap((outcome) => toCheckedFile(outcome, explicit) ?? []),
    ],
    notes: checked.flatMap(({ item, value }) =>
      (value?.notes ?? []).map((message) => ({
        path: item,
        problem: { code: 'not-fixed', message },
      })),
    ),
    repaired: checked.flatMap(({ item, value }) =>
      value !== undefined && value.repaired > 0 && writes ? item : [],
    ),
    fixed: fix ? { count, dryRun: fix.dryRun } : undefined,
  };
}

interface Split {
  readonly own: readonly FoundFile[];
  /** Only to be checked: a link leads to them. */
  readonly others: readonly FoundFile[];
}

async function runChecks(
  { own, others }: Split,
  { select: { jobs }, levels, fix: asked }: ValidateRequest,
  context: Context,
): Promise<readonly CheckOutcome[]> {
  const { now, signal, env } = context;
  const fix = asked && { ...asked, now: now() };
  return withProgress('Checking', own.length + others.length, context, async (onDone) => {
    const options = { jobs, signal, env, getSize: getFileSize, onDone };
    const check = (files: readonly FoundFile[], setup: CheckSetup) =>
      runTask(
        checkTask,
        setup,
        files.map(({ path }) => path),
        options,
      );
    const checked = await check(own, { ...levels, fix });
    const left = await check(others, { ...levels, fix: undefined });
    return [...checked, ...left.map(leaveLinked)];
  });
}

type CheckOutcome = Outcome<string, Checked | undefined>;

/** Says so only where there is something to repair. */
function leaveLinked(outcome: CheckOutcome): CheckOutcome {
  if (!outcome.ok || !outcome.value?.findings.some(({ fixable }) => fixable)) return outcome;
  return { ...outcome, value: { ...outcome.value, notes: [`not repaired: ${LINKED}`] } };
}

const NOT_A_SESSION = {
  code: 'not-a-session',
  message: 'is not a session file of a known agent: not checked',
};

/** Undefined for a file that is not a session, and that the user did not name. */
function toCheckedFile(
  outcome: CheckOutcome,
  explicit: ReadonlySet<string>,
): CheckedFile | undefined {
  const path = outcome.item;
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return { path, findings: [], problem: { code, message } };
  }
  if (outcome.value) return { path, findings: outcome.value.findings };
  return explicit.has(path) ? { path, findings: [], problem: NOT_A_SESSION } : undefined;
}
