/**
 * Work that can be done on another thread. Setup, items and what becomes of them are plain data,
 * such as `structuredClone` takes.
 */
export interface Task<S, I, T> {
  /** What threads know it by. */
  readonly name: string;
  /** Whether an item spends most of its time waiting for the disk: then some are begun at once. */
  readonly waits: boolean;
  /** Called once on each thread; the job may throw a FileError, which is an outcome. */
  start(setup: S, signal: AbortSignal): (item: I) => Promise<T>;
}
