import type { ExitCode } from '../../errors.ts';
import { formatListFooter } from '../../report/list/footer.ts';
import { createColumns, type SessionRow } from '../../report/list/session-columns.ts';
import { type SessionResult, toSessionResult } from '../../report/list/session-result.ts';
import type { JsonReport } from '../../report/text/json.ts';
import { isOutdated } from '../../session/agents/index.ts';
import { findInheritedUsages } from '../../session/model/tree/inherited-usage.ts';
import { walkLineages } from '../../session/model/tree/lineage.ts';
import { sumUsagesAt } from '../../session/model/tree/pack-usages.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import { NO_USAGE, subtractUsage, type Usage } from '../../session/model/usage.ts';
import { createTotalMeasure } from '../../store/sessions/total-size.ts';
import { byLastMessage } from '../../store/select/selection.ts';
import type { Context } from '../command.ts';
import type { ListDocument } from '../shared/output/documents.ts';
import {
  reportProblems,
  writeMachineReport,
  writePaths,
  writeTable,
} from '../shared/output/output.ts';
import { findSessions, type FoundSessions } from '../shared/select/sessions.ts';
import type { ListRequest, SessionsView } from './request.ts';

type SessionsRequest = ListRequest<SessionsView>;

/** Runs `coppice list` without another view. */
export async function listSessions(request: SessionsRequest, context: Context): Promise<ExitCode> {
  const { select, output, view } = request;
  const { usage } = view;
  const options = {
    usage,
    subagents: !view.paths || select.selection.source === 'subagent',
    followsProject: true,
    lineage: usage || view.lineage,
  };
  const found = await findSessions(select, context, options);
  const rows = toRows(found, request);
  if (view.paths) {
    const paths = rows.map(({ summary }) => summary.path);
    const unwritten = await writePaths(paths, select, context);
    return reportProblems([...found.problems, ...unwritten], context);
  }
  if (output.format === 'table') await writeSessions(rows, found, request, context);
  else await writeMachineReport(await toReport(rows, found, view), output, context);
  return reportProblems(found.problems, context);
}

interface UsageRow extends SessionRow {
  readonly inheritedUsage: Usage | undefined;
}

function toRows(
  { sessions, everywhere }: FoundSessions,
  { limit, view: { sort, reverse, lineage } }: SessionsRequest,
): readonly UsageRow[] {
  const inherited = findInheritedUsages(everywhere);
  const withUsage = (summary: SessionSummary, depth: number): UsageRow => {
    const { usage } = summary;
    const copied = usage && inherited.get(summary.path);
    if (!copied) {
      return { summary, depth, ownUsage: usage, inheritedUsage: usage && NO_USAGE };
    }
    const inheritedUsage = sumUsagesAt(summary, copied);
    return { summary, depth, ownUsage: subtractUsage(usage, inheritedUsage), inheritedUsage };
  };
  const sorted = sessions.map((summary) => withUsage(summary, 0)).toSorted(ORDERS[sort]);
  if (reverse) sorted.reverse();
  if (!lineage) return sorted.slice(0, limit);
  const steps = walkLineages(sorted.map(({ summary }) => summary));
  return steps.map(({ summary, depth }) => withUsage(summary, depth)).slice(0, limit);
}

type Order = (a: SessionRow, b: SessionRow) => number;

const byMessage: Order = (a, b) => byLastMessage(a.summary, b.summary);
const orderBy =
  (get: (row: SessionRow) => number): Order =>
  (a, b) =>
    get(b) - get(a) || byMessage(a, b);

const ORDERS: Readonly<Record<SessionsView['sort'], Order>> = {
  modified: byMessage,
  created: orderBy(({ summary }) => Date.parse(summary.created ?? summary.modified)),
  size: orderBy(({ summary }) => summary.size),
  messages: orderBy(({ summary }) => summary.messageCount),
  cost: orderBy(({ ownUsage }) => ownUsage?.cost ?? 0),
  name: (a, b) => {
    // Blanks before a first message are not shown.
    const [one = '', other = ''] = [a, b].map(({ summary }) =>
      (summary.name ?? summary.firstMessage).trimStart(),
    );
    return one.localeCompare(other, 'en') || byMessage(a, b);
  },
};

async function toReport(
  rows: readonly UsageRow[],
  found: FoundSessions,
  { lineage }: SessionsView,
): Promise<JsonReport<ListDocument>> {
  const measure = createTotalMeasure();
  const totalSizes: number[] = [];
  for (const { summary } of rows) totalSizes.push(await measure(summary));
  return {
    command: 'list',
    results: listResults(rows, totalSizes, found.problems, lineage),
    summary: {
      sessions: rows.length,
      total: found.total,
      bytes: rows.reduce((sum, { summary }) => sum + summary.size, 0),
      superseded: found.superseded,
      problems: found.problems.length,
    },
  };
}

/** Makes each result when it is written. */
function* listResults(
  rows: readonly UsageRow[],
  totalSizes: readonly number[],
  problems: readonly FileProblem[],
  lineage: boolean,
): Generator<SessionResult | FileProblem> {
  for (const [at, { summary, inheritedUsage, depth }] of rows.entries()) {
    const extra = { inheritedUsage, depth: lineage ? depth : undefined };
    yield toSessionResult(summary, totalSizes[at] ?? summary.size, extra);
  }
  yield* problems;
}

async function writeSessions(
  rows: readonly SessionRow[],
  found: FoundSessions,
  { output, view }: SessionsRequest,
  context: Context,
): Promise<void> {
  const all = createColumns({ now: context.now(), home: context.home });
  const columns = view.columns.map((name) => all[name]);
  await writeTable(addSubagents(rows), columns, output, context);
  if (output.quiet) return;
  const sessions = rows.map(({ summary }) => summary);
  const outdated = sessions.filter(isOutdated).length;
  await context.terminal.out.write(formatListFooter(sessions, { ...found, outdated }));
}

function addSubagents(rows: readonly SessionRow[]): readonly SessionRow[] {
  const hasAny = rows.some(({ summary }) => summary.subagents !== undefined);
  return hasAny ? rows.flatMap(withSubagents) : rows;
}

/** A row, and one for each of its sub-agents. */
function withSubagents(row: SessionRow): readonly SessionRow[] {
  const { summary, depth } = row;
  const below = summary.subagents?.map((subagent): SessionRow => {
    const { description, type, usage, ...facts } = subagent;
    return {
      summary: {
        ...summary,
        ...facts,
        name: null,
        firstMessage: description ?? type ?? facts.id,
        source: 'subagent',
      },
      depth,
      ownUsage: usage,
      isSubagent: true,
    };
  });
  return below ? [row, ...below] : [row];
}
