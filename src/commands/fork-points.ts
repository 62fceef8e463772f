import type { JsonReport } from '../report/json.ts';
import { runBatch } from '../batch/run-batch.ts';
import { createPointColumns } from '../report/fork/point-columns.ts';
import { readForkPoints } from '../session/read-fork-points.ts';
import type { ExitCode } from '../errors.ts';
import type { Context } from './command.ts';
import type { PointsDocument } from './documents.ts';
import type { ForkArgs } from './fork.ts';
import { reportForkProblems, splitOutcomes } from './fork-outcomes.ts';
import { writeMachineReport, writeTable } from './output.ts';
import type { FoundFiles } from './select-sessions.ts';

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
