import type { JsonReport } from '../../report/text/json.ts';
import { ExitCode } from '../../errors.ts';
import { EXPORT_WORDS, type ExportWords, formatExportFooter } from '../../report/export/footer.ts';
import {
  createExportColumns,
  type Partition,
  PARTITION_COLUMNS,
} from '../../report/export/table.ts';
import { type ActionResult, isChange } from '../../session/model/action.ts';
import type { Context } from '../command.ts';
import type { DatasetResult, ExportDocument, ExportResult } from '../shared/output/documents.ts';
import type { ExportRequest } from './request.ts';
import type { OutputRequest } from '../shared/requests.ts';
import {
  reportIfUnwritten,
  reportProblems,
  writeMachineReport,
  writeTable,
} from '../shared/output/output.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { listFailures } from '../shared/output/report-actions.ts';

interface ReportOptions {
  readonly inPartitions?: number;
  /** Problems that are of no session, but of files beside the exports. */
  readonly beside?: readonly FileProblem[];
  readonly words?: ExportWords;
}

/**
 * Shows what was or would be written, and returns the exit code. `inPartitions`: the number of sessions, if each shares
 * its files with others: the reason of a result names these, and a problem is that of a file for many sessions.
 */
export async function reportExport(
  results: readonly (ExportResult | DatasetResult)[],
  problems: readonly FileProblem[],
  { output, dryRun }: ExportRequest,
  context: Context,
  { inPartitions, beside = [], words = EXPORT_WORDS }: ReportOptions = {},
): Promise<ExitCode> {
  const failed = listFailures(results);
  const count = (action: ActionResult['action']): number =>
    results.filter((result) => result.action === action).length;
  const sessions = inPartitions ?? results.length + problems.length;
  const summary = {
    applied: !dryRun,
    sessions,
    exported: count('export') + count('backup'),
    unchanged: count('unchanged'),
    skipped: count('skip'),
    failed: sessions - results.length + failed.length,
    incomplete: results.filter((result) => result.problems.length > 0).length,
    bytesWritten: results.reduce((sum, { bytesAfter }) => sum + bytesAfter, 0),
  };
  const report: JsonReport<ExportDocument> = {
    command: 'export',
    results: [...results, ...problems, ...beside],
    summary,
  };
  if (!(await writeMachineReport(report, output, context)) && !output.quiet) {
    await writeRows(results, output, context, inPartitions !== undefined);
    await context.terminal.out.write(formatExportFooter(summary, words));
  }
  const gaps = results.flatMap(({ path, problems: found }) =>
    found.map((problem) => ({ path, problem })),
  );
  const exitCode = await reportProblems([...gaps, ...failed, ...problems, ...beside], context);
  await reportIfUnwritten(summary.applied ? results.filter(isChange) : [], context);
  return exitCode;
}

function writeRows(
  results: readonly ActionResult[],
  output: OutputRequest,
  context: Context,
  isPartitioned: boolean,
): Promise<void> {
  // Something may be missing from what an earlier run has written.
  const shown = results.filter(
    ({ action, reasons }) => action !== 'unchanged' || reasons.length > 1,
  );
  if (isPartitioned) return writeTable(sumPartitions(shown), PARTITION_COLUMNS, output, context);
  return writeTable(shown, createExportColumns(context.home), output, context);
}

function sumPartitions(results: readonly ActionResult[]): readonly Partition[] {
  const partitions = new Map<string, Partition>();
  for (const { action, reasons, bytesAfter } of results) {
    const name = reasons.join(', ');
    const { sessions, bytesAfter: bytes } = partitions.get(name) ?? { sessions: 0, bytesAfter: 0 };
    partitions.set(name, {
      action,
      name,
      sessions: sessions + 1,
      bytesAfter: bytes + bytesAfter,
    });
  }
  return [...partitions.values()];
}
