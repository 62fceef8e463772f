import type { SessionSummary } from '../../session/model/summary.ts';
import { formatCount, formatSelected, formatSize } from '../text/numbers.ts';

interface Counts {
  readonly total: number;
  readonly outdated: number;
  readonly superseded: number;
}

/** Formats the line below the table, with advice. */
export function formatListFooter(
  sessions: readonly SessionSummary[],
  { total, outdated, superseded }: Counts,
): string {
  const bytes = sessions.reduce((sum, { size }) => sum + size, 0);
  const which = formatSelected(sessions.length, total);
  const old =
    outdated === 1 ? '1 is in an old format' : `${formatCount(outdated)} are in an old format`;
  const left =
    superseded === 1
      ? '1 old file of a migrated session is left out'
      : `${formatCount(superseded)} old files of migrated sessions are left out`;
  const faulty = sessions.filter(({ problem }) => problem).length;
  const have = faulty === 1 ? '1 has a problem' : `${formatCount(faulty)} have a problem`;
  const notes = [
    ...(faulty > 0 ? [` ${have}: coppice validate`] : []),
    ...(outdated > 0 ? [` ${old}: coppice migrate`] : []),
    ...(superseded > 0 ? [` ${left}: coppice migrate --apply`] : []),
  ];
  return `${which}, ${formatSize(bytes)}.${notes.join('.')}\n`;
}

/**
 * Formats the line below the entries of a session, with the option that brings more of them; `hasMore`: another
 * filter shows entries that this one hides.
 */
export function formatEntriesFooter(
  { shown, visible, total }: { shown: number; visible: number; total: number },
  hasMore: boolean,
): string {
  const which = formatSelected(shown, total, 'entry', 'entries');
  if (shown < visible) return `${which}. More with a larger --limit\n`;
  return `${which}.${hasMore ? ' More with --filter all' : ''}\n`;
}
