import type { Outcome } from '../../batch/run-batch.ts';
import { ExitCode } from '../../errors.ts';
import { isSystemFailure } from '../../session/jsonl/files/file-error.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import type { Context } from '../command.ts';
import { reportProblems } from '../shared/output/output.ts';
import { STOPPED_CODE } from '../../session/model/action.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { type Split, splitFound } from '../shared/run-sessions.ts';

export interface SplitForks<T> extends Split<T> {
  /** Sessions that were merely selected and cannot be forked: their agent has no forks, or they have no messages yet. */
  readonly skipped: readonly FileProblem[];
}

const UNFIT: ReadonlySet<string> = new Set(['not-supported', 'session-empty']);

/**
 * Splits outcomes into results, problems and sessions that are skipped. If nothing was done, a session that
 * would be skipped is a problem.
 */
export function splitForks<T>(
  outcomes: readonly Outcome<FoundFile, T>[],
  known: readonly FileProblem[],
): SplitForks<T> {
  const isSkipped = ({ item, ...outcome }: Outcome<FoundFile, T>): boolean =>
    !outcome.ok && !item.explicit && UNFIT.has(outcome.error.code);
  const { problems: skipped } = splitFound(outcomes.filter(isSkipped));
  const split = splitFound(outcomes.filter((outcome) => !isSkipped(outcome)));
  const { values } = split;
  const problems = [...known, ...split.problems];
  if (values.length > 0) return { values, problems, skipped };
  return { values, problems: [...problems, ...skipped], skipped: [] };
}

/** Codes of errors of programs, and of sessions that another process works on. */
const TRIED: ReadonlySet<string> = new Set([
  'summary-failed',
  'hook-failed',
  'cancelled',
  'in-use',
  STOPPED_CODE,
  'ECHANGED',
]);

/** Codes of errors about the place that the command line names. */
const MISPLACED: ReadonlySet<string> = new Set(['EEXIST', 'ENOTDIR']);

/** Returns whether the command line is not to blame: a program, the system or another process is. */
function hasTried({ problem }: FileProblem): boolean {
  return TRIED.has(problem.code) || (isSystemFailure(problem) && !MISPLACED.has(problem.code));
}

/**
 * Reports the problems, and returns the exit code: if nothing at all was done, and nothing else failed, the
 * command line was wrong.
 */
export async function reportForkProblems(
  { values, problems, skipped }: SplitForks<unknown>,
  context: Context,
): Promise<ExitCode> {
  await reportProblems(skipped, context);
  const exitCode = await reportProblems(problems, context);
  const tried = problems.some(hasTried);
  return exitCode === ExitCode.partial && values.length === 0 && !tried
    ? ExitCode.unusable
    : exitCode;
}
