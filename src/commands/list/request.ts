import {
  COLUMN_NAMES,
  type ColumnName,
  DEFAULT_COLUMNS,
} from '../../report/list/session-columns.ts';
import type { TotalKey } from '../../session/read/summaries/totals.ts';
import type { Context } from '../command.ts';
import {
  type OutputRequest,
  type SelectionRequest,
  toOutputRequest,
  toSelectionRequest,
} from '../shared/requests.ts';
import { splitNames } from '../values.ts';
import type { ListArgs } from './options.ts';

/** One of the views of `coppice list`. */
export type ListView =
  | { readonly kind: 'entries'; readonly filter: ListArgs['filter'] }
  | { readonly kind: 'info' }
  | { readonly kind: 'totals'; readonly by: TotalKey; readonly reverse: boolean }
  | SessionsView;

export interface SessionsView {
  readonly kind: 'sessions';
  readonly sort: ListArgs['sort'];
  readonly reverse: boolean;
  readonly columns: readonly ColumnName[];
  /** Whether anything that is shown needs tokens or costs. */
  readonly usage: boolean;
  readonly lineage: boolean;
  /** Only paths. */
  readonly paths: boolean;
}

export interface ListRequest<V extends ListView = ListView> {
  readonly select: SelectionRequest;
  readonly output: OutputRequest;
  /** Undefined: all rows. */
  readonly limit: number | undefined;
  readonly view: V;
}

export function toListRequest(args: ListArgs, context: Context): ListRequest {
  return {
    select: toSelectionRequest(args, context, args.paths),
    output: toOutputRequest(args),
    limit: args.limit,
    view: toView(args),
  };
}

function toView(args: ListArgs): ListView {
  const { entries, info, filter, by, reverse, sort, lineage, paths } = args;
  if (entries) return { kind: 'entries', filter };
  if (info) return { kind: 'info' };
  if (by !== undefined) return { kind: 'totals', by, reverse };
  const columns = parseColumns(args);
  const usage = args.usage || sort === 'cost' || columns.some((name) => NEEDS_USAGE.has(name));
  return { kind: 'sessions', sort, reverse, columns, usage, lineage, paths };
}

const NEEDS_USAGE: ReadonlySet<ColumnName> = new Set(['tokens', 'cost']);

function parseColumns({ columns, usage }: ListArgs): readonly ColumnName[] {
  if (columns === undefined) {
    return usage ? [...DEFAULT_COLUMNS, 'tokens', 'cost'] : DEFAULT_COLUMNS;
  }
  const asked = splitNames(columns);
  return asked.flatMap((name) => COLUMN_NAMES.find((known) => known === name) ?? []);
}
