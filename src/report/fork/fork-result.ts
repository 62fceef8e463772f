import type { ActionResult } from '../../session/model/action.ts';
import type { Fork } from '../../session/fork/fork-session.ts';
import { toLeftReason } from '../../session/fork/left-behind.ts';

/** The JSON of one fork: field names that programs rely on. */
export type ForkResult = ActionResult & Omit<Fork, 'bytes'>;

export function toForkResult({ bytes, ...fork }: Fork, reason: string): ForkResult {
  const { left } = fork;
  const reasons = left ? [reason, toLeftReason(left)] : [reason];
  return { ...fork, action: 'fork', reasons, bytesBefore: 0, bytesAfter: bytes };
}
