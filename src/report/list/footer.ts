import type { SessionSummary } from '../../session/model/summary.ts';
import { formatCount, formatCounted, formatSize } from '../text/numbers.ts';

/** What the table was about, and what there is to do. */
export function formatListFooter(
  sessions: readonly SessionSummary[],
  total: number,
  outdated: number,
): string {
  const bytes = sessions.reduce((sum, { size }) => sum + size, 0);
  const which =
    sessions.length === total
      ? formatCounted(total, 'session')
      : `${formatCount(sessions.length)} of ${formatCounted(total, 'session')}`;
  const old =
    outdated === 1 ? '1 is in an old format' : `${formatCount(outdated)} are in an old format`;
  return `${which}, ${formatSize(bytes)}.${outdated > 0 ? ` ${old}: coppice migrate` : ''}\n`;
}
