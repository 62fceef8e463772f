/**
 * Starts a clock for another thread, which cannot get one from this thread: it begins at `now`, in
 * milliseconds, and runs on from there.
 */
export function startClock(now: number): () => number {
  const startedAt = performance.now();
  return () => now + Math.round(performance.now() - startedAt);
}
