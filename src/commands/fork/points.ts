import type { JsonReport } from '../../report/text/json.ts';
import { runBatch } from '../../batch/run-batch.ts';
import { createPointColumns } from '../../report/fork/point-columns.ts';
import { readForkPoints } from '../../session/fork/points.ts';
import type { ExitCode } from '../../errors.ts';
import type { Context } from '../command.ts';
import type { PointsDocument } from '../shared/documents.ts';
import { reportForkProblems, splitOutcomes } from './outcomes.ts';
import { writeMachineReport, writeTable } from '../shared/output.ts';
import type { FoundFiles } from '../shared/select.ts';
import type { ForkArgs } from './options.ts';

/** `coppice fork --points`: where one could fork. */
export async function listPoints(
  found: FoundFiles,
  args: ForkArgs,
  context: Context,
): Promise<ExitCode> {
  const { jobs } = args;
  const { signal } = context;
  const outcomes = await runBatch(
    found.files,
    async ({ path }) =>
      (await readForkPoints(path, { signal })).map((point) => ({ source: path, ...point })),
    { jobs, signal },
  );
  const { values, problems } = splitOutcomes(outcomes, found.problems);
  const points = values.flat();
  const summary = { sessions: values.length, points: points.length };
  const report: JsonReport<PointsDocument> = {
    command: 'fork',
    results: [...points, ...problems],
    summary,
  };
  if (!(await writeMachineReport(report, args, context))) {
    const columns = createPointColumns(context.home, values.length > 1);
    await writeTable(points, columns, args, context);
  }
  return reportForkProblems(problems, values.length, context);
}
