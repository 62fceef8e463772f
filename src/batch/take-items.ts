import { type Task, attempt, type Outcome } from './task.ts';
import type { Assignment } from './thread-protocol.ts';

/**
 * Does a task on this thread, with one item after another of those that no other thread has taken,
 * until none is left or the signal aborts.
 * @throws what a job throws that is neither a FileError nor the stop: when all that was begun has ended.
 */
export async function takeItems<S, I, T>(
  task: Task<S, I, T>,
  { setup, items, order, next }: Assignment<S, I>,
  signal: AbortSignal,
  onDone: (index: number, outcome: Outcome<I, T>) => void,
): Promise<void> {
  const job = task.start(setup, signal);
  const work = async (): Promise<void> => {
    for (;;) {
      const index = order[Atomics.add(next, 0, 1)];
      if (index === undefined || signal.aborted) return;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the order is of the items
      onDone(index, await attempt(items[index] as I, job));
    }
  };
  // None of them may still be writing when something is thrown.
  const ends = await Promise.allSettled(Array.from({ length: task.atOnce }, work));
  for (const end of ends) {
    if (end.status === 'rejected' && end.reason !== signal.reason) throw end.reason;
  }
}
