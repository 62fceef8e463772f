import pLimit from 'p-limit';
import { attempt, type Outcome } from './task.ts';
export type { Outcome } from './task.ts';

export interface BatchOptions<I, T> {
  /** How many items are worked on at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** A function that is called once per finished item, in the order in which they end. */
  readonly onDone?: (outcome: Outcome<I, T>) => void;
}

/**
 * Works on many items at once; one that fails does not stop the rest. Outcomes are in the order of
 * the items, whatever `jobs` is.
 * @throws whatever a job throws that is not a FileError (a bug), and when the signal aborts.
 */
export async function runBatch<I, T>(
  items: readonly I[],
  job: (item: I) => Promise<T>,
  options: BatchOptions<I, T>,
): Promise<Outcome<I, T>[]> {
  const limit = pLimit(options.jobs);
  const run = async (item: I): Promise<Outcome<I, T>> => {
    options.signal.throwIfAborted();
    const outcome = await attempt(item, job);
    options.onDone?.(outcome);
    return outcome;
  };
  return Promise.all(items.map((item) => limit(run, item)));
}
