import type { CompactionOutcome } from '../../session/compact/compact-session.ts';
import { createActionColumns } from '../actions/table.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatCount, formatSize } from '../text/numbers.ts';
import type { Column } from '../text/table.ts';
import type { ReductionOutcome } from '../../session/reduce/reduce-session.ts';

/** Adds the change of the context to the columns of every change. */
export function createCompactionColumns(home: string): readonly Column<CompactionOutcome>[] {
  const columns: readonly Column<CompactionOutcome>[] = createActionColumns(home);
  // These two come behind the action and the session.
  return columns.toSpliced(
    2,
    0,
    { title: 'TOKENS', align: 'right', cell: formatTokens },
    { title: 'FIRST KEPT ENTRY', isMinor: true, cell: formatCut },
  );
}

function formatTokens({ action, compaction }: CompactionOutcome): string {
  if (!compaction) return '';
  const { tokensBefore, tokensAfter, contextWindow } = compaction;
  const before = formatCount(tokensBefore);
  if (action !== 'compact') return `${before} of ${formatCount(contextWindow)}`;
  return `${before} → ${tokensAfter === null ? '?' : formatCount(tokensAfter)}`;
}

function formatCut({ action, compaction }: CompactionOutcome): string {
  if (action !== 'compact' || !compaction) return '';
  return toPlainLine(compaction.firstKeptEntryId ?? 'none', 40);
}

/** Adds the savings of each reducer to the columns of every change. */
export function createReductionColumns(home: string): readonly Column<ReductionOutcome>[] {
  const columns: readonly Column<ReductionOutcome>[] = createActionColumns(home);
  return [...columns, { title: 'SAVES', cell: formatSavings }];
}

function formatSavings({ savings }: ReductionOutcome): string {
  const saved = savings.filter(({ bytes }) => bytes > 0);
  return saved.map(({ reducer, bytes }) => `${reducer} ${formatSize(bytes)}`).join(', ');
}
