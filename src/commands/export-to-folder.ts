import { sep } from 'node:path';
import { runBatch } from '../batch/run-batch.ts';
import { type ExitCode, UsageError } from '../errors.ts';
import { ExportFolder } from '../store/export-folder.ts';
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
  const folder = await ExportFolder.open(plan.out, part);
  const job = new ExportJob(folder, plan, args, context);
  const progress = context.terminal.startProgress('Exporting', found.files.length);
  const batch = { jobs: args.jobs, signal: context.signal, onDone: () => progress.advance() };
  try {
    const outcomes = await runBatch(found.files, (file) => job.run(file), batch);
    const results = outcomes.flatMap((outcome) => (outcome.ok ? (outcome.value ?? []) : []));
    const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)]));
    if (plan.name === 'html' && !args['dry-run']) await writeOverview(folder, plan);
    progress.stop();
    return await reportExport(results, [...found.problems, ...failed], args, context);
  } finally {
    progress.stop();
    // Also what an interrupted run has done need not be done again.
    if (job.isChanged) await folder.save();
  }
}

/** A session that is read here would be overwritten there, or its export read as a session. */
function refuseOwnFiles({ files }: FoundFiles, out: string): void {
  const inside = files.find(({ path }) => path.startsWith(out + sep));
  if (inside) throw new UsageError(`--out ${out}: holds sessions that are to be exported`);
}
