import type { Total, TotalKey } from '../../session/totals.ts';
import type { Usage } from '../../session/usage.ts';
import { toPlainLine } from '../escape.ts';
import { formatCost, formatCount, formatSize } from '../numbers.ts';
import { formatPath } from '../paths.ts';
import type { Column } from '../table.ts';

/** The columns of `list --by`. */
export function createTotalColumns(by: TotalKey, home: string): readonly Column<Total>[] {
  return [
    {
      title: by.toUpperCase(),
      shrinks: true,
      cell: ({ key }) => (by === 'project' ? formatPath(key, home) : toPlainLine(key)),
    },
    { title: 'SESSIONS', align: 'right', cell: ({ sessions }) => formatCount(sessions) },
    { title: 'MESSAGES', align: 'right', cell: ({ messages }) => formatCount(messages) },
    { title: 'SIZE', align: 'right', cell: ({ bytes }) => formatSize(bytes) },
    { title: 'TOKENS', align: 'right', cell: ({ usage }) => formatCount(usage.totalTokens) },
    { title: 'COST', align: 'right', cell: ({ usage }) => formatCost(usage.cost) },
  ];
}

/** The JSON of one total. Of `project`, `model`, `day` and `agent` there is the one asked for. */
export interface TotalResult
  extends Omit<Total, 'key' | 'usage'>, Partial<Record<TotalKey, string>> {
  readonly tokens: Omit<Usage, 'cost'>;
  /** US dollars. */
  readonly cost: number;
}

/** The JSON of one total: the key goes by the name of what was asked for. */
export function toTotalResult({ key, usage, ...rest }: Total, by: TotalKey): TotalResult {
  const { cost, ...tokens } = usage;
  return { [by]: key, ...rest, tokens, cost };
}
