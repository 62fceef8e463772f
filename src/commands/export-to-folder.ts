import { sep } from 'node:path';
import { type ExitCode, UsageError } from '../errors.ts';
import { ExportFolder, toKey } from '../store/export-folder.ts';
import { collectProblem } from './collect-problem.ts';
import type { Context } from './command.ts';
import type { ExportArgs } from './export-options.ts';
import { writeOverview } from './export-overview.ts';
import type { DocumentPlan } from './export-plan.ts';
import { reportExport } from './export-report.ts';
import { FolderRun } from './export-run.ts';
import { findChosenFiles, type FoundFiles } from './select-sessions.ts';

export type FolderPlan = DocumentPlan & { readonly out: string };

/** `coppice export --out`: a file or more for each session. */
export async function exportToFolder(
  plan: FolderPlan,
  args: ExportArgs,
  context: Context,
): Promise<ExitCode> {
  const found = await findChosenFiles(args, context, { followsProject: true });
  refuseOwnFiles(found, plan.out);
  const part = args.shard === undefined ? '' : `-${args.shard.replace('/', 'of')}`;
  const folder = await ExportFolder.open(plan.out, context.now(), part);
  const prefix = `${plan.request.name}:${toKey(plan.signature)}:`;
  const run = new FolderRun(folder, prefix, plan.request, args, context);
  const { results, problems } = await run.export(found.files);
  if (plan.request.name === 'html' && !args['dry-run']) {
    problems.push(...(await collectProblem(() => writeOverview(folder, prefix))));
  }
  return reportExport(results, [...found.problems, ...problems], args, context);
}

/** A session that is read here would be overwritten there, or its export read as a session. */
function refuseOwnFiles({ files }: FoundFiles, out: string): void {
  const inside = files.find(({ path }) => path.startsWith(out + sep));
  if (inside) throw new UsageError(`--out ${out}: holds sessions that are to be exported`);
}
