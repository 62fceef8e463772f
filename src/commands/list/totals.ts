import type { JsonReport } from '../../report/text/json.ts';
import type { ExitCode } from '../../errors.ts';
import { formatDay } from '../../report/text/numbers.ts';
import { createTotalColumns, formatTotalsFooter, toTotalResult } from '../../report/list/totals.ts';
import { findInheritedUsages } from '../../session/model/tree/inherited-usage.ts';
import { sumSessions, type Total, type TotalKey } from '../../session/read/summaries/totals.ts';
import type { Context } from '../command.ts';
import type { TotalsDocument } from '../shared/output/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../shared/output/output.ts';
import { findSessions } from '../shared/select/sessions.ts';
import type { ListRequest, ListView } from './request.ts';

/** Runs `coppice list --by`. */
export async function listTotals(
  { select, output, limit, view }: ListRequest<Extract<ListView, { kind: 'totals' }>>,
  context: Context,
): Promise<ExitCode> {
  const { by, reverse } = view;
  const { sessions, everywhere, total, problems } = await findSessions(select, context, {
    usage: true,
    subagents: true,
    lineage: true,
    followsProject: true,
  });
  const sums = sumSessions(sessions, by, findInheritedUsages(everywhere), formatDay);
  const sorted = sums.toSorted(ORDERS[by]);
  const all = reverse ? sorted.toReversed() : sorted;
  const totals = all.slice(0, limit);
  const report: JsonReport<TotalsDocument> = {
    command: 'list',
    results: [...totals.map((one) => toTotalResult(one, by)), ...problems],
    summary: { sessions: sessions.length, total, problems: problems.length },
  };
  if (!(await writeMachineReport(report, output, context))) {
    await writeTable(totals, createTotalColumns(by, context.home), output, context);
    if (!output.quiet)
      await context.terminal.out.write(
        formatTotalsFooter({ all, shown: totals.length, total }, by),
      );
  }
  return reportProblems(problems, context);
}

const byKey = (a: Total, b: Total): number => (a.key < b.key ? -1 : 1);
const byCost = (a: Total, b: Total): number =>
  b.usage.cost - a.usage.cost || b.bytes - a.bytes || byKey(a, b);

const ORDERS: Readonly<Record<TotalKey, (a: Total, b: Total) => number>> = {
  project: byCost,
  model: byCost,
  agent: byCost,
  day: (a, b) => -byKey(a, b),
};
