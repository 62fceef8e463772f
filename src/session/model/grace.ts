import type { SessionSummary } from './summary.ts';
import { findUnrest as judge, UNREST_REASONS } from './in-use.ts';

/**
 * Why a session must be left unchanged for now: someone may be at work in it, or its times make no
 * sense. Undefined when it is at rest. `now` and `grace` in milliseconds.
 */
export function findUnrest(
  { modified, fileModified }: Pick<SessionSummary, 'modified' | 'fileModified'>,
  grace: number,
  now: number,
): string | undefined {
  const unrest = judge(Math.max(Date.parse(modified), Date.parse(fileModified)), grace, now);
  return unrest && UNREST_REASONS[unrest];
}
