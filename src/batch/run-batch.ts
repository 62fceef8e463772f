import pLimit from 'p-limit';
import { FileError } from '../errors.ts';

/** What became of one item: a value, or the file system's refusal. */
export type Outcome<I, T> =
  | { readonly ok: true; readonly item: I; readonly value: T }
  | { readonly ok: false; readonly item: I; readonly error: FileError };

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
): Promise<Outcome<I, T>[]> {
  const limit = pLimit(options.jobs);
  const attempt = async (item: I): Promise<Outcome<I, T>> => {
    options.signal.throwIfAborted();
    try {
      return { ok: true, item, value: await job(item) };
    } catch (error) {
      if (error instanceof FileError) return { ok: false, item, error };
      throw error;
    } finally {
      options.onDone?.();
    }
  };
  return Promise.all(items.map((item) => limit(attempt, item)));
}
