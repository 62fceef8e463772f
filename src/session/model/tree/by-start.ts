import type { SessionSummary } from '../summary.ts';

/** Compares by start; where none is known, by the last change. */
export function byStart(
  a: Pick<SessionSummary, 'created' | 'modified' | 'path'>,
  b: Pick<SessionSummary, 'created' | 'modified' | 'path'>,
): number {
  const [from, to] = [a.created ?? a.modified, b.created ?? b.modified];
  if (from !== to) return from < to ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}
