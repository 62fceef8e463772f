import type { JsonReport } from '../../report/text/json.ts';
import { runBatch } from '../../batch/run-batch.ts';
import { createPointColumns, formatPointsFooter } from '../../report/fork/point-columns.ts';
import { readForkPoints } from '../../session/fork/points.ts';
import type { ExitCode } from '../../errors.ts';
import type { Context } from '../command.ts';
import type { PointsDocument } from '../shared/output/documents.ts';
import { reportForkProblems, splitForks } from './outcomes.ts';
import { writeMachineReport, writeTable } from '../shared/output/output.ts';
import { findFilesToFork } from './find-files-to-fork.ts';
import type { ForkCommandRequest } from './request.ts';

/** Runs `coppice fork --points`: lists the entries at which a fork can begin. */
export async function listPoints(
  { select, output }: ForkCommandRequest,
  context: Context,
): Promise<ExitCode> {
  const found = await findFilesToFork(select, context);
  const { jobs } = select;
  const { signal } = context;
  const outcomes = await runBatch(
    found.files,
    async ({ path }) =>
      (await readForkPoints(path, { signal })).map((point) => ({ source: path, ...point })),
    { jobs, signal },
  );
  const split = splitForks(outcomes, found.problems);
  const { values, problems, skipped } = split;
  const points = values.flat();
  const summary = { sessions: values.length, points: points.length };
  const report: JsonReport<PointsDocument> = {
    command: 'fork',
    results: [...points, ...problems, ...skipped],
    summary,
  };
  if (!(await writeMachineReport(report, output, context))) {
    const columns = createPointColumns(context.home, values.length > 1);
    await writeTable(points, columns, output, context);
    if (!output.quiet && values.length > 0) {
      await context.terminal.err.write(formatPointsFooter(points.length, values.length));
    }
  }
  return reportForkProblems(split, context);
}
