import { Worker } from 'node:worker_threads';
import { FileError } from '../errors.ts';
import { useUsualV8Settings } from './v8-settings.ts';
import type { BatchOptions, Outcome } from './run-batch.ts';
import { takeItems } from './take-items.ts';
import { fillStopped, type Task } from './task.ts';
import { type Assignment, STOP, type ThreadReport } from './thread-protocol.ts';

/** The build puts all modules into one directory. */
const THREAD = new URL('./thread.cjs', import.meta.url);

export interface ThreadWork<I> {
  readonly items: readonly I[];
  /**
   * The size of each item; the largest are begun first, so that none is left when the rest is done.
   */
  readonly sizes: readonly number[];
  readonly threads: number;
}

/**
 * Does a task on several threads, of which this is one: they take one item after another until none
 * is left. This one begins at once, the others when they have started.
 */
export async function runOnThreads<S, I, T>(
  task: Task<S, I, T>,
  setup: S,
  { items, sizes, threads }: ThreadWork<I>,
  { signal, onDone, toStopped }: BatchOptions<I, T>,
): Promise<Outcome<I, T>[]> {
  const order = Uint32Array.from(items.keys()).toSorted(
    (a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0),
  );
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const assignment: Assignment<S, I> = { task: task.name, setup, items, order, next };
  const outcomes: Outcome<I, T>[] = [];
  const add = (index: number, outcome: Outcome<I, T>): void => {
    outcomes[index] = outcome;
    onDone?.(outcome);
  };
  const receive = (report: ThreadReport<T>): void => {
    for (const { index, ...result } of report) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an index of ours comes back
      const item = items[index] as I;
      if (result.ok) add(index, { ok: true, item, value: result.value });
      else {
        const error = new FileError(result.path, result.code, result.message);
        add(index, { ok: false, item, error });
      }
    }
  };
  useUsualV8Settings();
  // Once one of them has failed, the others need not begin anything any more.
  const stopAll = (): void => void Atomics.store(next, 0, items.length);
  const others = Array.from({ length: threads - 1 }, () => runThread(assignment, receive, signal));
  const own = takeItems(task, assignment, signal, add);
  for (const run of [own, ...others]) run.catch(stopAll);
  // All of them end before anything is thrown: none may still be writing.
  const ends = await Promise.allSettled([own, ...others]);
  if (!toStopped) signal.throwIfAborted();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  if (toStopped && signal.aborted) await fillStopped(items, outcomes, toStopped);
  return outcomes;
}

/**
 * Resolves when the thread has ended, and everything that it reported has been received; then
 * rejects with what its task threw. What a task throws may come before its last report.
 */
function runThread<S, I, T>(
  assignment: Assignment<S, I>,
  receive: (report: ThreadReport<T>) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(THREAD, { workerData: assignment });
    const stop = (): void => worker.postMessage(STOP);
    signal.addEventListener('abort', stop);
    worker.on('message', receive);
    let failure: { readonly error: unknown } | undefined;
    worker.on('error', (error) => (failure = { error }));
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop);
      if (failure) reject(failure.error);
      else resolve();
    });
    if (signal.aborted) stop();
  });
}
