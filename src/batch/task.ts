/**
 * Work that can be done on another thread. Setup, items and what becomes of them are plain data,
 * such as `structuredClone` takes.
 */
export interface Task<S, I, T> {
  /** The name by which threads load it. */
  readonly name: string;
  /** How many items a thread has begun at any time: more than one where they wait for the disk. */
  readonly atOnce: number;
  /** Called once on each thread; the job may throw a FileError, which is an outcome. */
  start(setup: S, signal: AbortSignal): (item: I) => Promise<T>;
}
