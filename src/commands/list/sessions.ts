import type { ExitCode } from '../../errors.ts';
import { formatListFooter } from '../../report/list/footer.ts';
import {
  COLUMN_NAMES,
  type ColumnName,
  createColumns,
  DEFAULT_COLUMNS,
  type SessionRow,
} from '../../report/list/session-columns.ts';
import { toSessionResult } from '../../report/list/session-result.ts';
import type { JsonReport } from '../../report/text/json.ts';
import { isOutdated } from '../../session/agents/index.ts';
import { findInheritedEntries, sumUsage, walkLineages } from '../../session/model/tree/lineage.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { NO_USAGE, subtractUsage, type Usage } from '../../session/model/usage.ts';
import { byActivity } from '../../store/select/selection.ts';
import type { Context } from '../command.ts';
import type { ListDocument } from '../shared/documents.ts';
import { reportProblems, writeMachineReport, writePaths, writeTable } from '../shared/output.ts';
import { findSessions, type FoundSessions } from '../shared/select.ts';
import { splitNames } from '../values.ts';
import type { ListArgs } from './options.ts';

/** `coppice list` without `--by` and `--entries`. */
export async function listSessions(args: ListArgs, context: Context): Promise<ExitCode> {
  const columns = parseColumns(args);
  const usage = args.usage || args.sort === 'cost' || columns.some((name) => NEEDS_USAGE.has(name));
  const found = await findSessions(args, context, {
    usage,
    cache: args.cache,
    followsProject: true,
  });
  const rows = toRows(found, args);
  if (args.paths) {
    const paths = rows.map(({ summary }) => summary.path);
    const leftOut = await writePaths(paths, args, context);
    return reportProblems([...found.problems, ...leftOut], context);
  }
  if (!(await writeMachineReport(toReport(rows, found, args), args, context))) {
    await writeSessions(rows, columns, found, args, context);
  }
  return reportProblems(found.problems, context);
}

const NEEDS_USAGE: ReadonlySet<ColumnName> = new Set(['tokens', 'cost']);

interface UsageRow extends SessionRow {
  readonly inheritedUsage: Usage | undefined;
}

function parseColumns(args: ListArgs): readonly ColumnName[] {
  if (args.columns === undefined) {
    return args.usage ? [...DEFAULT_COLUMNS, 'tokens', 'cost'] : DEFAULT_COLUMNS;
  }
  const asked = splitNames(args.columns);
  return asked.flatMap((name) => COLUMN_NAMES.find((known) => known === name) ?? []);
}

function toRows({ sessions }: FoundSessions, args: ListArgs): readonly UsageRow[] {
  const inherited = findInheritedEntries(sessions);
  const withUsage = (summary: SessionSummary, depth: number): UsageRow => {
    const { usage } = summary;
    const inheritedUsage = usage && sumUsage(inherited.get(summary.path) ?? []);
    const ownUsage = usage && subtractUsage(usage, inheritedUsage ?? NO_USAGE);
    return { summary, depth, ownUsage, inheritedUsage };
  };
  const sorted = sessions.map((summary) => withUsage(summary, 0)).toSorted(ORDERS[args.sort]);
  if (args.reverse) sorted.reverse();
  if (!args.lineage) return sorted.slice(0, args.limit);
  const steps = walkLineages(sorted.map(({ summary }) => summary));
  return steps.map(({ summary, depth }) => withUsage(summary, depth)).slice(0, args.limit);
}

type Order = (a: SessionRow, b: SessionRow) => number;

const byLatest: Order = (a, b) => byActivity(a.summary, b.summary);
const orderBy =
  (get: (row: SessionRow) => number): Order =>
  (a, b) =>
    get(b) - get(a) || byLatest(a, b);

const ORDERS: Readonly<Record<ListArgs['sort'], Order>> = {
  modified: byLatest,
  created: orderBy(({ summary }) => Date.parse(summary.created ?? summary.modified)),
  size: orderBy(({ summary }) => summary.size),
  messages: orderBy(({ summary }) => summary.messageCount),
  cost: orderBy(({ ownUsage }) => ownUsage?.cost ?? 0),
  name: (a, b) => {
    const [one, other] = [a, b].map(({ summary }) => summary.name ?? summary.firstMessage);
    return (one ?? '').localeCompare(other ?? '', 'en') || byLatest(a, b);
  },
};

function toReport(
  rows: readonly UsageRow[],
  found: FoundSessions,
  args: ListArgs,
): JsonReport<ListDocument> {
  const results = rows.map(({ summary, inheritedUsage, depth }) =>
    toSessionResult(summary, { inheritedUsage, depth: args.lineage ? depth : undefined }),
  );
  const bytes = rows.reduce((sum, { summary }) => sum + summary.size, 0);
  return {
    command: 'list',
    results: [...results, ...found.problems],
    summary: { sessions: rows.length, total: found.total, bytes, problems: found.problems.length },
  };
}

async function writeSessions(
  rows: readonly SessionRow[],
  names: readonly ColumnName[],
  found: FoundSessions,
  args: ListArgs,
  context: Context,
): Promise<void> {
  const all = createColumns({ now: context.now(), home: context.home });
  const columns = names.map((name) => all[name]);
  await writeTable(rows, columns, args, context);
  if (args.quiet) return;
  const sessions = rows.map(({ summary }) => summary);
  const outdated = sessions.filter(isOutdated).length;
  await context.terminal.out.write(formatListFooter(sessions, found.total, outdated));
}
