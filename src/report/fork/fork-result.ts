import type { ActionResult } from '../../session/model/action.ts';
import type { Fork } from '../../session/fork/fork-session.ts';
import { describeMissingLines } from '../../session/read/unread-lines.ts';
import { toLeftReason } from '../../session/fork/left-behind.ts';
import { formatCounted, formatSize } from '../text/numbers.ts';

/** The JSON of one fork: field names that programs rely on. */
export type ForkResult = ActionResult & Omit<Fork, 'bytes' | 'unreadLines'>;

export function toForkResult({ bytes, unreadLines, ...fork }: Fork, reason: string): ForkResult {
  const { left } = fork;
  const reasons = [
    reason,
    ...(left ? [toLeftReason(left)] : []),
    ...describeMissingLines(unreadLines),
  ];
  return { ...fork, action: 'fork', reasons, bytesBefore: 0, bytesAfter: bytes };
}

/** Formats the line below the paths: number and size of the forks. */
export function formatForkFooter(forks: readonly ForkResult[], dryRun: boolean): string {
  const bytes = forks.reduce((sum, { bytesAfter }) => sum + bytesAfter, 0);
  const size = forks.length > 0 ? `, ${formatSize(bytes)}` : '';
  const sources = new Set(forks.map(({ source }) => source)).size;
  const made =
    sources === forks.length
      ? formatCounted(sources, 'session')
      : `${formatCounted(sources, 'session')} into ${forks.length}`;
  return dryRun ? `Would fork ${made}${size}. Nothing was written.\n` : `Forked ${made}${size}.\n`;
}
