import { toPlainLine } from '../text/escape.ts';
import { formatAgo, formatCounted, formatSelected, formatSize } from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';

/** A session in an archive, as `--list` prints it. Sizes in bytes, times in ISO 8601. */
export interface ArchivedResult {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly title: string;
  readonly lastActive: string;
  readonly archivedAt: string;
  /** The path from which it was archived. */
  readonly path: string;
  /** Its file in the archive. */
  readonly archived: string;
  readonly bytes: number;
  readonly archivedBytes: number;
  /** False for a copy of a backup, which the next one may replace by a longer state. */
  readonly isOnlyCopy: boolean;
}

export function createArchiveColumns(now: number, home: string): readonly Column<ArchivedResult>[] {
  return [
    { title: 'LAST ACTIVE', cell: ({ lastActive }) => formatAgo(lastActive, now) },
    { title: 'ARCHIVED', cell: ({ archivedAt }) => formatAgo(archivedAt, now) },
    { title: 'PROJECT', shrinks: 'start', cell: ({ cwd }) => formatPath(cwd, home) || '?' },
    { title: 'SESSION', shrinks: 'end', cell: ({ title }) => toPlainLine(title) || '(no text)' },
    { title: 'SIZE', align: 'right', cell: ({ bytes }) => formatSize(bytes) },
    // Whole on every screen: it is what --restore takes.
    { title: 'ID', cell: ({ id }) => toPlainLine(id, 200) },
  ];
}

export interface ArchiveSummary {
  readonly sessions: number;
  /** An archive may have several of a session. */
  readonly states: number;
}

/** Formats the line below the table. `total`: the number of sessions in the archive, selected or not. */
export function formatArchiveFooter(
  { sessions, states }: ArchiveSummary,
  total: number,
  results: readonly ArchivedResult[],
): string {
  const bytes = results.reduce((sum, { bytes: one }) => sum + one, 0);
  const archived = results.reduce((sum, { archivedBytes }) => sum + archivedBytes, 0);
  const several = states === sessions ? '' : ` in ${formatCounted(states, 'state')}`;
  const count = `${formatSelected(sessions, total)}${several}`;
  return `${count}, ${formatSize(bytes)} in ${formatSize(archived)}.\n`;
}
