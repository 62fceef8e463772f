import { type BatchOptions, type Outcome, runBatch } from './run-batch.ts';
import type { Task } from './task.ts';
import { useOwnV8Settings } from './v8-settings.ts';

export interface TaskOptions<I, T> extends BatchOptions<I, T> {
  /** About how many bytes an item makes the task read. */
  readonly getSize: (item: I) => number;
  /**
   * The environment of the run; `COPPICE_THREAD_BYTES` sets after how many bytes another thread
   * starts.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starting threads takes as long as working through this many bytes. */
const WORTH_A_THREAD = 24 * 1024 * 1024;

/**
 * Does a job for each item as `runBatch` does, with work that other threads may take a part in: they do where
 * there is enough of it, so that there is one thread for each of the `jobs`, the largest items first.
 */
export async function runTask<S, I, T>(
  task: Task<S, I, T>,
  setup: S,
  items: readonly I[],
  options: TaskOptions<I, T>,
): Promise<Outcome<I, T>[]> {
  const sizes = items.map((item) => options.getSize(item));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const worth = Number(options.env['COPPICE_THREAD_BYTES'] ?? WORTH_A_THREAD);
  const threads = Math.min(options.jobs, items.length, Math.ceil(bytes / worth));
  if (threads > 1) {
    const { runOnThreads } = await import('./run-on-threads.ts');
    return runOnThreads(task, setup, { items, sizes, threads }, options);
  }
  useOwnV8Settings(task);
  return runBatch(items, task.start(setup, options.signal), options);
}
