import type { CompactionOutcome } from '../../session/compact/compact-session.ts';
import { createActionColumns } from '../actions/table.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatCount } from '../text/numbers.ts';
import type { Column } from '../text/table.ts';

/** Adds the change of the context to the columns of every change. */
export function createCompactionColumns(home: string): readonly Column<CompactionOutcome>[] {
  const [action, session, ...rest] = createActionColumns(home);
  return [
    ...(action ? [action] : []),
    ...(session ? [session] : []),
    { title: 'TOKENS', align: 'right', cell: formatTokens },
    { title: 'FIRST KEPT ENTRY', isMinor: true, cell: formatCut },
    ...rest,
  ];
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
