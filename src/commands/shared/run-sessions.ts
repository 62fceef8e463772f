import { type Outcome, runBatch } from '../../batch/run-batch.ts';
import type { FileError } from '../../errors.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { findProblems, type FoundFile, toProblem } from '../../store/select/found-file.ts';
import type { Context } from '../command.ts';

/**
 * Shows the progress of `work`. The progress bar ends even if `work` throws, or Node would never exit.
 */
export async function withProgress<T>(
  label: string,
  total: number,
  { terminal }: Pick<Context, 'terminal'>,
  work: (advance: () => void) => Promise<T>,
): Promise<T> {
  const progress = terminal.startProgress(label, total);
  try {
    return await work(() => progress.advance());
  } finally {
    progress.stop();
  }
}

export interface SessionRun {
  /** The word of the progress bar, as in `Reading`. */
  readonly label: string;
  /** How many items are worked on at once. */
  readonly jobs: number;
  readonly context: Pick<Context, 'terminal' | 'signal'>;
}

/** A run that changes something, and reports what it did also when it is stopped. */
export interface ChangingRun<I, T> extends SessionRun {
  /** The value of an item that is left then, with the reason `STOPPED`; it may throw a FileError instead. */
  readonly toStopped?: ((item: I) => T | Promise<T>) | undefined;
}

/**
 * Does a job for each session or file, with progress; outcomes are in the order of the items.
 * @throws whatever a job throws that is not a FileError, and when the signal aborts, unless there is `toStopped`.
 */
export function runSessions<I, T>(
  items: readonly I[],
  job: (item: I) => Promise<T>,
  { label, jobs, context, toStopped }: ChangingRun<I, T>,
): Promise<readonly Outcome<I, T>[]> {
  return withProgress(label, items.length, context, (advance) =>
    runBatch(items, job, { jobs, signal: context.signal, onDone: advance, toStopped }),
  );
}

/** Lists the values of outcomes, with one that is made of each failure. */
export function listResults<I, T>(
  outcomes: readonly Outcome<I, T>[],
  toFailed: (item: I, error: FileError) => T,
): readonly T[] {
  return outcomes.map((outcome) =>
    outcome.ok ? outcome.value : toFailed(outcome.item, outcome.error),
  );
}

export interface Split<T> {
  readonly values: readonly T[];
  readonly problems: readonly FileProblem[];
}

/** Splits outcomes into values and problems. */
export function splitOutcomes<T>(outcomes: readonly Outcome<unknown, T>[]): Split<T> {
  return {
    values: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])),
    problems: outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)])),
  };
}

/** Splits outcomes as `splitOutcomes` does; each problem is that of the file that was worked on, as `findProblems` lists it. */
export function splitBySession<I, T>(
  outcomes: readonly Outcome<I, T>[],
  toFile: (item: I) => Pick<FoundFile, 'path' | 'explicit'>,
): Split<T> {
  return {
    ...splitOutcomes(outcomes),
    problems: outcomes.flatMap((outcome) =>
      outcome.ok ? [] : findProblems(toFile(outcome.item), outcome.error),
    ),
  };
}

/** Splits the outcomes of files as `splitBySession` does. */
export function splitFound<T>(outcomes: readonly Outcome<FoundFile, T>[]): Split<T> {
  return splitBySession(outcomes, (file) => file);
}
