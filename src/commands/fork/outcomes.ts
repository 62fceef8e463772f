import type { Outcome } from '../../batch/run-batch.ts';
import { ExitCode } from '../../errors.ts';
import { isNoSession } from '../../session/read/summaries/summarize-session.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import type { Context } from '../command.ts';
import { reportProblems } from '../shared/output/output.ts';
import { type FileProblem, toProblem } from '../shared/select.ts';

export interface SplitOutcomes<T> {
  readonly values: readonly T[];
  readonly problems: readonly FileProblem[];
  /** Sessions that were merely selected, of agents whose sessions cannot be forked. */
  readonly skipped: readonly FileProblem[];
}

/**
 * Splits outcomes into results and problems. A file of a store that is not a session is neither. If
 * nothing was done, a session that would be skipped is a problem.
 */
export function splitOutcomes<T>(
  outcomes: readonly Outcome<FoundFile, T>[],
  known: readonly FileProblem[],
): SplitOutcomes<T> {
  const values: T[] = [];
  const problems = [...known];
  const skipped: FileProblem[] = [];
  for (const outcome of outcomes) {
    if (outcome.ok) values.push(outcome.value);
    else if (!outcome.item.explicit && isNoSession(outcome.error)) continue;
    else if (!outcome.item.explicit && outcome.error.code === 'not-supported') {
      skipped.push(toProblem(outcome.error));
    } else problems.push(toProblem(outcome.error));
  }
  if (values.length > 0) return { values, problems, skipped };
  return { values, problems: [...problems, ...skipped], skipped: [] };
}

/** Codes of errors that are no fault of the command line. */
const TRIED: ReadonlySet<string> = new Set(['summary-failed', 'hook-failed', 'cancelled']);

/**
 * Reports the problems, and returns the exit code: if nothing at all was done, and no summary or hook
 * failed, the command line was wrong.
 */
export async function reportForkProblems(
  { values, problems, skipped }: SplitOutcomes<unknown>,
  context: Context,
): Promise<ExitCode> {
  await reportProblems(skipped, context);
  const exitCode = await reportProblems(problems, context);
  const tried = problems.some(({ problem }) => TRIED.has(problem.code));
  return exitCode === ExitCode.partial && values.length === 0 && !tried
    ? ExitCode.unusable
    : exitCode;
}
