import { type Outcome, runBatch } from '../../batch/run-batch.ts';
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
  /** For the progress bar, as in `Reading`. */
  readonly label: string;
  /** How many items are worked on at once. */
  readonly jobs: number;
  readonly context: Pick<Context, 'terminal' | 'signal'>;
}

/**
 * Does a job for each session or file, with progress; outcomes are in the order of the items.
 * @throws whatever a job throws that is not a FileError, and when the signal aborts.
 */
export function runSessions<I, T>(
  items: readonly I[],
  job: (item: I) => Promise<T>,
  { label, jobs, context }: SessionRun,
): Promise<readonly Outcome<I, T>[]> {
  return withProgress(label, items.length, context, (advance) =>
    runBatch(items, job, { jobs, signal: context.signal, onDone: advance }),
  );
}
