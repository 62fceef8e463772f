import type { ActionResult } from '../../session/action.ts';
import type { Fork } from '../../session/fork-session.ts';

/** The JSON of one fork: field names that programs rely on. */
export type ForkResult = ActionResult & Omit<Fork, 'bytes'>;

export function toForkResult({ bytes, ...fork }: Fork, reason: string): ForkResult {
  return { ...fork, action: 'fork', reasons: [reason], bytesBefore: 0, bytesAfter: bytes };
}
