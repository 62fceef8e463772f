import pLimit from 'p-limit';
import { FileError } from '../errors.ts';

/** What became of one item: a value, or the file system's refusal. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: FileError };

export interface BatchOptions {
  /** How many items are worked on at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Called once per finished item. */
  readonly onDone?: () => void;
}

/**
 * Works on many items at once; one that fails does not stop the rest. Outcomes are in the order of
 * the items, whatever `jobs` is.
 * @throws whatever a job throws that is no FileError (a bug), and when the signal aborts.
 */
export async function runBatch<I, T>(
  items: readonly I[],
  job: (item: I) => Promise<T>,
  options: BatchOptions,
): Promise<Outcome<T>[]> {
  const limit = pLimit(options.jobs);
  const attempt = async (item: I): Promise<Outcome<T>> => {
    options.signal.throwIfAborted();
    try {
      return { ok: true, value: await job(item) };
    } catch (error) {
      if (error instanceof FileError) return { ok: false, error };
      throw error;
    } finally {
      options.onDone?.();
    }
  };
  return Promise.all(items.map((item) => limit(attempt, item)));
}
