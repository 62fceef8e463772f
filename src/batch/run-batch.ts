import { attempt, fillStopped, type Outcome } from './task.ts';
export type { Outcome } from './task.ts';

export interface BatchOptions<I, T> {
  /** How many items are worked on at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** A function that is called once per finished item, in the order in which they end. */
  readonly onDone?: (outcome: Outcome<I, T>) => void;
  /**
   * The value of an item that is left when the signal aborts, or a FileError that it throws: a run that has changed
   * something reports what it did. Unless given, an aborted run throws.
   */
  readonly toStopped?: ((item: I) => T | Promise<T>) | undefined;
}

/**
 * Works on many items at once; one that fails does not stop the rest. Outcomes are in the order of
 * the items, whatever `jobs` is.
 * @throws whatever a job throws that is not a FileError (a bug), and when the signal aborts, unless there is
 * `toStopped`: when all that was begun has ended.
 */
export async function runBatch<I, T>(
  items: readonly I[],
  job: (item: I) => Promise<T>,
  options: BatchOptions<I, T>,
): Promise<Outcome<I, T>[]> {
  const outcomes: Outcome<I, T>[] = [];
  // A queue of p-limit takes 0.46 s of CPU for 100,000 items that need nothing; this takes 0.03 s.
  const waiting = items.entries();
  let isStopped = false;
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (isStopped) return;
      options.signal.throwIfAborted();
      const outcome = await attempt(item, job);
      options.onDone?.(outcome);
      outcomes[index] = outcome;
    }
  };
  const works = Array.from({ length: Math.min(options.jobs, items.length) }, work);
  for (const one of works) one.catch(() => (isStopped = true));
  // None of them may still be writing when something is thrown.
  const { signal, toStopped } = options;
  for (const end of await Promise.allSettled(works)) {
    if (end.status !== 'rejected') continue;
    if (!toStopped || end.reason !== signal.reason) throw end.reason;
  }
  if (toStopped && signal.aborted) await fillStopped(items, outcomes, toStopped);
  return outcomes;
}
