import { formatCount, formatCounted, formatSize } from '../text/numbers.ts';

export interface ExportSummary {
  /** False for a preview. */
  readonly applied: boolean;
  readonly sessions: number;
  readonly exported: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  /** Exported, or not changed, though a part of them could not be read. */
  readonly incomplete: number;
  readonly bytesWritten: number;
}

/** One line below the table. */
export function formatExportFooter(summary: ExportSummary): string {
  const { applied, sessions, exported, unchanged, skipped, failed, incomplete, bytesWritten } =
    summary;
  const of = `${formatCount(exported)} of ${formatCounted(sessions, 'session')}`;
  const done = applied ? `Exported ${of}, ${formatSize(bytesWritten)}.` : `Would export ${of}.`;
  const rest = [
    unchanged > 0 ? ` ${formatCount(unchanged)} not changed since the last export.` : '',
    skipped > 0 ? ` ${formatCount(skipped)} skipped.` : '',
    incomplete > 0 ? ` ${formatCount(incomplete)} incomplete.` : '',
    failed > 0 ? ` ${formatCount(failed)} failed.` : '',
  ];
  return `${done}${rest.join('')}\n`;
}
