import type { OmittedRows } from '../../session/dialect/surroundings/rows.ts';
import type { FooterWords } from '../actions/footer.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatPath } from '../text/paths.ts';
import { formatCounted } from '../text/numbers.ts';
import type { Column } from '../text/table.ts';
import { createPruneColumns, type PruneResult } from './columns.ts';
import { ACTION, REASON } from '../actions/table.ts';

export const RESTORE_WORDS: FooterWords = {
  verb: 'restore',
  past: 'Restored',
  how: 'leave out --dry-run',
  unchanged: { one: 'is there already', many: 'are there already' },
};

/** The path says more, and why one failed is on stderr. */
const LEFT_OUT: ReadonlySet<string> = new Set(['PROJECT', 'REASON']);

/** The part of a result that names rows which were not restored. */
export function toOmission(
  omitted: readonly OmittedRows[],
): Pick<PruneResult, 'reasons' | 'omittedRows'> {
  if (omitted.length === 0) return { reasons: [] };
  const named = omitted.map(({ table, rows }) => `${formatCounted(rows, 'row')} of ${table}`);
  const reason = `without ${named.join(', ')}: its agent lacks what they belong to, or would continue by itself`;
  return { reasons: [reason], omittedRows: omitted };
}

/**
 * The columns of sessions that come out of an archive, with the path that each is written to: whole,
 * since the archive may be somebody else's. Further reasons have a column if there are any.
 */
export function createRestoreColumns(
  now: number,
  home: string,
  results: readonly PruneResult[],
): readonly Column<PruneResult>[] {
  const note: Column<PruneResult> = {
    title: 'NOTE',
    cell: ({ reasons }) => toPlainLine(reasons.slice(1).join(', ')),
  };
  return [
    ...createPruneColumns(now, home).filter(({ title }) => !LEFT_OUT.has(title)),
    { title: 'TO', cell: ({ path }) => formatPath(path, home) },
    ...(results.some(({ reasons }) => reasons.length > 1) ? [note] : []),
  ];
}

/** The columns of sessions that get back what was kept beside them: which session, and which part of it. */
export function createKeptColumns(home: string): readonly Column<PruneResult>[] {
  return [
    ACTION,
    { title: 'SESSION', cell: ({ path }) => formatPath(path, home) },
    { title: 'PART', cell: (result) => REASON.cell(result) },
  ];
}
