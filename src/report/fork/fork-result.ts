import type { ActionResult } from '../../session/action.ts';
import type { Fork } from '../../session/fork-session.ts';

/** The JSON of one fork: field names that programs rely on. */
export type ForkResult = ActionResult & Omit<Fork, 'bytes'>;

export const NOTHING_LEFT = 'nothing is left behind that says anything to the model';

export function toForkResult({ bytes, ...fork }: Fork, reason: string): ForkResult {
  const { left } = fork;
  const about =
    left?.summary === null ? `no summary: ${NOTHING_LEFT}` : 'what is left is summarised';
  const reasons = left ? [reason, about] : [reason];
  return { ...fork, action: 'fork', reasons, bytesBefore: 0, bytesAfter: bytes };
}
