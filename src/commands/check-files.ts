import type { Outcome } from '../batch/run-batch.ts';
import { runTask } from '../batch/run-task.ts';
import type { CheckedFile, FindingsReport } from '../report/findings/format.ts';
import type { Problem } from '../session/summary.ts';
import type { RuleLevels } from '../session/validate-session.ts';
import { parseAge } from '../store/age.ts';
import { getFileSize } from '../store/stat-file.ts';
import { cleanUpBeside } from './clean-up.ts';
import type { Context } from './command.ts';
import type { FoundFiles } from './select-sessions.ts';
import { type Checked, task as checkTask } from './tasks/check-task.ts';
import type { ValidateArgs } from './validate.ts';

export interface CheckedFiles {
  readonly files: readonly CheckedFile[];
  readonly notes: readonly { readonly path: string; readonly problem: Problem }[];
  readonly fixed: FindingsReport['fixed'];
}

/** Checks every file, and repairs it first if `--fix` says so. */
export async function checkFiles(
  found: FoundFiles,
  levels: RuleLevels,
  args: ValidateArgs,
  context: Context,
): Promise<CheckedFiles> {
  const isFix = args.fix || args['fix-dry-run'];
  const paths = args.fix && !args['fix-dry-run'] ? found.files.map(({ path }) => path) : [];
  const problems = [...found.problems, ...(await cleanUpBeside(paths, args.jobs, context))];
  const { now, signal } = context;
  const grace = parseAge(args.grace, '--grace', now());
  const fix = isFix ? { dryRun: args['fix-dry-run'], grace, now: now() } : undefined;
  const progress = context.terminal.startProgress('Checking', found.files.length);
  const outcomes = await runTask(
    checkTask,
    { levels, fix },
    found.files.map(({ path }) => path),
    { jobs: args.jobs, signal, getSize: getFileSize, onDone: () => progress.advance() },
  );
  progress.stop();
  const checked = outcomes.flatMap((outcome) => (outcome.ok ? [outcome] : []));
  const count = checked.reduce((sum, { value }) => sum + (value?.repaired ?? 0), 0);
  return {
    files: [
      ...problems.map((one) => ({ ...one, findings: [] })),
      ...outcomes.flatMap((outcome, index) => {
        return toCheckedFile(outcome, found.files[index]?.explicit) ?? [];
      }),
    ],
    notes: checked.flatMap(({ item, value }) =>
      (value?.notes ?? []).map((message) => ({
        path: item,
        problem: { code: 'not-fixed', message },
      })),
    ),
    fixed: isFix ? { count, dryRun: args['fix-dry-run'] } : undefined,
  };
}

const NOT_A_SESSION = {
  code: 'not-a-session',
  message: 'is no session file of a known agent: not checked',
};

/** Undefined for a file that nobody asked for by name, and that is no session. */
function toCheckedFile(
  outcome: Outcome<string, Checked | undefined>,
  explicit: boolean | undefined,
): CheckedFile | undefined {
  const path = outcome.item;
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return { path, findings: [], problem: { code, message } };
  }
  if (outcome.value) return { path, findings: outcome.value.findings };
  return explicit ? { path, findings: [], problem: NOT_A_SESSION } : undefined;
}
