import { toPlainLine } from '../text/escape.ts';
import { formatCounted, formatSize } from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';

/** The result of `--check` for one file of an archive, or for one line of its index. */
export interface CheckedResult {
  /** The file in the archive; of the index with the number of the line. */
  readonly archived: string;
  readonly state: 'sound' | 'damaged';
  /** Null for what is sound. */
  readonly problem: string | null;
  /** The id of the session; null if its file is damaged. */
  readonly id: string | null;
  readonly agent: string | null;
  readonly title: string | null;
  /** The path from which the session was archived. */
  readonly path: string | null;
  /** Compressed. */
  readonly bytes: number;
}

export interface CheckSummary {
  /** Files that were read. */
  readonly checked: number;
  readonly damaged: number;
  /** Compressed, of all that is sound. */
  readonly bytes: number;
}

export function createCheckColumns(home: string): readonly Column<CheckedResult>[] {
  return [
    { title: 'DAMAGED', shrinks: 'start', cell: ({ archived }) => formatPath(archived, home) },
    { title: 'PROBLEM', cell: ({ problem }) => toPlainLine(problem ?? '') },
  ];
}

export function formatCheckFooter({ checked, damaged, bytes }: CheckSummary): string {
  const read = `Checked ${formatCounted(checked, 'state')}, ${formatSize(bytes)}.`;
  return damaged === 0 ? `${read} All are sound.\n` : `${read} ${damaged} damaged or missing.\n`;
}
