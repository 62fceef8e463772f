import { FileError } from '../errors.ts';

/**
 * Work that can be done on another thread. Setup, items and what becomes of them are plain data,
 * such as `structuredClone` takes.
 */
export interface Task<S, I, T> {
  /** The name by which threads load it. */
  readonly name: string;
  /** How many items each of several threads has begun at any time: more than one where they wait for the disk. */
  readonly atOnce: number;
  /** Whether V8 is to collect garbage more often: each job holds one session, and makes far more garbage than that. */
  readonly savesMemory?: boolean;
  /** Begins the work, once on each thread; the job may throw a FileError, which is an outcome. */
  start(setup: S, signal: AbortSignal): (item: I) => Promise<T>;
}

/**
 * Starts a clock for another thread, which cannot get one from this thread: it begins at `now`, in
 * milliseconds, and runs on from there.
 */
export function startClock(now: number): () => number {
  const startedAt = performance.now();
  return () => now + Math.round(performance.now() - startedAt);
}

/** The outcome for one item: a value, or the reason why the file could not be used. */
export type Outcome<I, T> =
  | { readonly ok: true; readonly item: I; readonly value: T }
  | { readonly ok: false; readonly item: I; readonly error: FileError };

/**
 * Does one item.
 * @throws whatever the job throws that is not a FileError.
 */
export async function attempt<I, T>(item: I, job: (item: I) => Promise<T>): Promise<Outcome<I, T>> {
  try {
    return { ok: true, item, value: await job(item) };
  } catch (error) {
    if (error instanceof FileError) return { ok: false, item, error };
    throw error;
  }
}

/** Completes the outcomes of a run that was stopped: those that are not there are what `toStopped` returns or throws. */
export async function fillStopped<I, T>(
  items: readonly I[],
  outcomes: Outcome<I, T>[],
  toStopped: (item: I) => T | Promise<T>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    outcomes[index] ??= await attempt(item, () => Promise.resolve(item).then(toStopped));
  }
}
