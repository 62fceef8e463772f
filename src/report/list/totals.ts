import type { Total, TotalKey } from '../../session/read/summaries/totals.ts';
import type { Usage } from '../../session/model/usage.ts';
import { toPlainLine } from '../text/escape.ts';
import {
  formatRecordedCost,
  formatCount,
  formatCounted,
  formatSelected,
  formatSize,
} from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';

/** The columns of `list --by`. */
export function createTotalColumns(by: TotalKey, home: string): readonly Column<Total>[] {
  return [
    {
      title: by.toUpperCase(),
      shrinks: by === 'project' ? 'start' : 'end',
      cell: ({ key }) => (by === 'project' ? formatPath(key, home) : toPlainLine(key)),
    },
    {
      title: 'SESSIONS',
      align: 'right',
      isMinor: true,
      cell: ({ sessions }) => formatCount(sessions),
    },
    {
      title: 'MESSAGES',
      align: 'right',
      isMinor: true,
      cell: ({ messages }) => formatCount(messages),
    },
    { title: 'SIZE', align: 'right', isMinor: true, cell: ({ bytes }) => formatSize(bytes) },
    { title: 'TOKENS', align: 'right', cell: ({ usage }) => formatCount(usage.totalTokens) },
    { title: 'COST', align: 'right', cell: ({ usage }) => formatRecordedCost(usage.cost) },
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

const COUNTED: Readonly<Partial<Record<TotalKey, string>>> = {
  model: 'for the model used last; tokens and cost for the model that used them',
  day: 'on the day of the last activity; tokens and cost on the day they were used',
};

interface Totals {
  readonly all: readonly Total[];
  /** The number of those in the table. */
  readonly shown: number;
  /** The number of sessions, selected or not. */
  readonly total: number;
}

/** Formats the sum of all totals, also of those that are not shown, with a note on what counts where. */
export function formatTotalsFooter({ all, shown, total }: Totals, by: TotalKey): string {
  if (all.length === 0) return `${formatSelected(0, total)}.\n`;
  const sum = (get: (one: Total) => number): number => all.reduce((so, one) => so + get(one), 0);
  const numbers = [
    formatSelected(
      sum(({ sessions }) => sessions),
      total,
    ),
    formatCounted(
      sum(({ messages }) => messages),
      'message',
    ),
    formatSize(sum(({ bytes }) => bytes)),
    formatCounted(
      sum(({ usage }) => usage.totalTokens),
      'token',
    ),
    formatRecordedCost(sum(({ usage }) => usage.cost)),
  ];
  const counted = COUNTED[by];
  const how = counted === undefined ? '' : ` Sessions count ${counted}.`;
  const part = shown === all.length ? '' : ` ${shown} of ${formatCounted(all.length, by)} shown.`;
  return `${numbers.filter(Boolean).join(', ')}.${part}${how}\n`;
}
