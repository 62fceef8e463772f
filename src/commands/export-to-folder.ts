import { sep } from 'node:path';
import { runBatch } from '../batch/run-batch.ts';
import { type ExitCode, UsageError } from '../errors.ts';
import { releaseAfter } from '../session/jsonl/release-after.ts';
import { ExportFolder } from '../store/export-folder.ts';
import { collectProblem } from './collect-problem.ts';
import type { Context } from './command.ts';
import { ExportJob, type FolderPlan } from './export-job.ts';
import type { ExportArgs } from './export-options.ts';
import { writeOverview } from './export-overview.ts';
import { reportExport } from './export-report.ts';
import { findChosenFiles, type FoundFiles, toProblem } from './select-sessions.ts';

/** `coppice export --out`: a file or more for each session. */
export async function exportToFolder(
  plan: FolderPlan,
  args: ExportArgs,
  context: Context,
): Promise<ExitCode> {
  const found = await findChosenFiles(args, context);
  refuseOwnFiles(found, plan.out);
  const part = args.shard === undefined ? '' : `-${args.shard.replace('/', 'of')}`;
  const folder = await ExportFolder.open(plan.out, context.now(), part);
  const job = new ExportJob(folder, plan, args, context);
  const progress = context.terminal.startProgress('Exporting', found.files.length);
  const batch = { jobs: args.jobs, signal: context.signal, onDone: () => progress.advance() };
  const problems = [...found.problems];
  const save = async (): Promise<void> => {
    progress.stop();
    // Also what an interrupted run has done need not be done again.
    if (job.isChanged) problems.push(...(await collectProblem(() => folder.save())));
  };
  const outcomes = await releaseAfter(
    () => runBatch(found.files, (file) => job.run(file), batch),
    save,
  );
  const results = outcomes.flatMap((outcome) => (outcome.ok ? (outcome.value ?? []) : []));
  problems.push(...outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)])));
  if (plan.name === 'html' && !args['dry-run']) {
    problems.push(...(await collectProblem(() => writeOverview(folder, plan))));
  }
  return reportExport(results, problems, args, context);
}

/** A session that is read here would be overwritten there, or its export read as a session. */
function refuseOwnFiles({ files }: FoundFiles, out: string): void {
  const inside = files.find(({ path }) => path.startsWith(out + sep));
  if (inside) throw new UsageError(`--out ${out}: holds sessions that are to be exported`);
}
