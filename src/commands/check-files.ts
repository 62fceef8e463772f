import { type Outcome, runBatch } from '../batch/run-batch.ts';
import type { CheckedFile, FindingsReport } from '../report/findings/format.ts';
import { fixSession } from '../session/fix-session.ts';
import type { Problem } from '../session/summary.ts';
import { summarizeSession } from '../session/summarize-session.ts';
import type { Finding } from '../session/rules/rule.ts';
import { type RuleLevels, validateSession } from '../session/validate-session.ts';
import { parseAge } from '../store/age.ts';
import type { FoundFile } from '../store/discover.ts';
import { findUnrest } from '../store/grace.ts';
import { cleanUpBeside } from './clean-up.ts';
import type { Context } from './command.ts';
import type { FoundFiles } from './select-sessions.ts';
import type { ValidateArgs } from './validate.ts';

/** What a file came to. */
export interface Checked {
  /** What there is to say of it, after any repair. */
  readonly findings: readonly Finding[];
  readonly repaired: number;
  /** Why a repair was left out or was not complete. */
  readonly notes: readonly string[];
}

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
  const { signal } = context;
  const isFix = args.fix || args['fix-dry-run'];
  const paths = args.fix && !args['fix-dry-run'] ? found.files.map(({ path }) => path) : [];
  const problems = [...found.problems, ...(await cleanUpBeside(paths, args.jobs, context))];
  const check = isFix ? createFix(levels, args, context) : createCheck(levels, context);
  const progress = context.terminal.startProgress('Checking', found.files.length);
  const outcomes = await runBatch(found.files, check, {
    jobs: args.jobs,
    signal,
    onDone: () => progress.advance(),
  });
  progress.stop();
  const checked = outcomes.flatMap((outcome) => (outcome.ok ? [outcome] : []));
  const count = checked.reduce((sum, { value }) => sum + (value?.repaired ?? 0), 0);
  return {
    files: [
      ...problems.map((one) => ({ ...one, findings: [] })),
      ...outcomes.flatMap((outcome) => toCheckedFile(outcome) ?? []),
    ],
    notes: checked.flatMap(({ item, value }) =>
      (value?.notes ?? []).map((message) => ({
        path: item.path,
        problem: { code: 'not-fixed', message },
      })),
    ),
    fixed: isFix ? { count, dryRun: args['fix-dry-run'] } : undefined,
  };
}

type Check = (file: FoundFile) => Promise<Checked | undefined>;

function createCheck(levels: RuleLevels, { signal }: Context): Check {
  return async ({ path }) => {
    const validation = await validateSession(path, { levels, signal });
    return validation && { findings: validation.findings, repaired: 0, notes: [] };
  };
}

function createFix(levels: RuleLevels, args: ValidateArgs, context: Context): Check {
  const { signal, now } = context;
  const grace = parseAge(args.grace, '--grace', now());
  const check = createCheck(levels, context);
  return async (file) => {
    const summary = await summarizeSession(file.path, { usage: false, signal });
    const unrest = 'path' in summary ? findUnrest(summary, grace, now()) : undefined;
    if (unrest !== undefined) {
      const checked = await check(file);
      const isFixable = checked?.findings.some(({ fixable }) => fixable);
      return checked && { ...checked, notes: isFixable ? [`not repaired: ${unrest}`] : [] };
    }
    const dryRun = args['fix-dry-run'];
    const outcome = await fixSession(file.path, { levels, dryRun, now, signal });
    if (!outcome) return undefined;
    const { validation, repaired, reasons } = outcome;
    return { findings: validation.findings, repaired: repaired.length, notes: reasons };
  };
}

const NOT_A_SESSION = {
  code: 'not-a-session',
  message: 'is no session file of a known agent: not checked',
};

/** Undefined for a file that nobody asked for by name, and that is no session. */
function toCheckedFile(outcome: Outcome<FoundFile, Checked | undefined>): CheckedFile | undefined {
  const { path, explicit } = outcome.item;
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return { path, findings: [], problem: { code, message } };
  }
  if (outcome.value) return { path, findings: outcome.value.findings };
  return explicit ? { path, findings: [], problem: NOT_A_SESSION } : undefined;
}
