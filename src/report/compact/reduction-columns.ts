import type { ReductionOutcome } from '../../session/reduce/reduce-session.ts';
import { createActionColumns } from '../actions/table.ts';
import { formatSize } from '../text/numbers.ts';
import type { Column } from '../text/table.ts';

/** Adds the savings of each reducer to the columns of every change. */
export function createReductionColumns(home: string): readonly Column<ReductionOutcome>[] {
  const columns: readonly Column<ReductionOutcome>[] = createActionColumns(home);
  return [...columns, { title: 'SAVES', cell: formatSavings }];
}

function formatSavings({ savings }: ReductionOutcome): string {
  const saved = savings.filter(({ bytes }) => bytes > 0);
  return saved.map(({ reducer, bytes }) => `${reducer} ${formatSize(bytes)}`).join(', ');
}
