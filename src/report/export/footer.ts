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

/** The words for the action of an export, and for actions of earlier runs. */
export interface ExportWords {
  readonly verb: string;
  readonly past: string;
  readonly last: string;
}

export const EXPORT_WORDS: ExportWords = { verb: 'export', past: 'Exported', last: 'export' };
export const BACKUP_WORDS: ExportWords = { verb: 'copy', past: 'Copied', last: 'backup' };

/** One line below the table. */
export function formatExportFooter(
  summary: ExportSummary,
  { verb, past, last }: ExportWords = EXPORT_WORDS,
): string {
  const { applied, sessions, exported, unchanged, skipped, failed, incomplete, bytesWritten } =
    summary;
  const of = `${formatCount(exported)} of ${formatCounted(sessions, 'session')}`;
  const done = applied ? `${past} ${of}, ${formatSize(bytesWritten)}.` : `Would ${verb} ${of}.`;
  const rest = [
    unchanged > 0 ? ` ${formatCount(unchanged)} not changed since the last ${last}.` : '',
    skipped > 0 ? ` ${formatCount(skipped)} skipped.` : '',
    incomplete > 0 ? ` ${formatCount(incomplete)} incomplete.` : '',
    failed > 0 ? ` ${formatCount(failed)} failed.` : '',
  ];
  return `${done}${rest.join('')}\n`;
}
