import { join } from 'node:path';
import { type ExitCode, UsageError } from '../../../errors.ts';
import { isOverviewPage } from '../../../export/formats/html/overview/overview.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { refuseForeign } from '../../../store/output/refuse-foreign.ts';
import { toProblem } from '../../../store/select/found-file.ts';
import { fileExists } from '../../../session/jsonl/read/read-lines.ts';
import { isInside } from '../../../session/model/paths.ts';
import { ExportFolder } from '../../../store/output/export-folder.ts';
import type { Context } from '../../command.ts';
import { type ExportRequest, toPartName } from '../request.ts';
import type { DocumentPlan } from '../plan.ts';
import { reportExport } from '../report.ts';
import { reportUnredacted } from './leftover.ts';
import { FolderRun } from './folder-run.ts';
import { toSourceKey } from './source-key.ts';
import { findListedFiles } from '../../shared/select/sessions.ts';
import type { FoundFile } from '../../../store/select/found-file.ts';
import type { FoundFiles } from '../../shared/select/files.ts';

export type FolderPlan = DocumentPlan & { readonly out: string };

/** Runs `coppice export --out`: writes one file or more for each session. */
export async function exportToFolder(
  plan: FolderPlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  const { showsUsage: usage = false } = plan.format;
  const part = toPartName(request.select.selection.shard);
  const folder = await ExportFolder.open(plan.out, context.now(), part);
  const found = await findListedFiles(request.select, context, {
    usage,
    lineage: usage,
    followsProject: true,
    prepare: (all) => withoutExports(all, folder),
  });
  refuseOwnFiles(found, plan.out);
  const { chosen, foreign } = await planIndex(plan, found, folder, part !== '');
  const run = new FolderRun(folder, chosen, request, context);
  const { results, problems } = await run.export(found);
  const all = [...found.problems, ...problems];
  const exitCode = await reportExport(results, all, request, context, { beside: foreign });
  if (!request.dryRun) await reportUnredacted(folder, plan.redaction, context);
  return exitCode;
}

/**
 * Pages link to the index where there are several of them, as those of shards; it is there ever after. A file of that
 * name that somebody else has made takes its place, which is a problem.
 */
async function planIndex(
  plan: FolderPlan,
  { files }: FoundFiles,
  folder: ExportFolder,
  isShard: boolean,
): Promise<{ readonly chosen: FolderPlan; readonly foreign: readonly FileProblem[] }> {
  if (plan.request.name !== 'html') return { chosen: plan, foreign: [] };
  const keys = new Set(folder.list('html:').map(([key]) => key));
  for (const { path } of files) keys.add(toSourceKey('html', path));
  const path = join(plan.out, 'index.html');
  const foreign = await orFileError(() => refuseForeign(path, 'start', isOverviewPage));
  const isWanted = isShard || keys.size > 1 || (!foreign && (await fileExists(path)));
  const hasIndex = isWanted && !foreign;
  return {
    chosen: { ...plan, request: { ...plan.request, hasIndex } },
    foreign: isWanted && foreign ? [toProblem(foreign)] : [],
  };
}

/** Leaves out what earlier runs have exported into a folder that is in a store: it may look like sessions. */
async function withoutExports(found: FoundFiles, folder: ExportFolder): Promise<FoundFiles> {
  const { directory } = folder.output;
  const isSource = ({ path, explicit }: FoundFile): boolean =>
    explicit || !isInside(path, directory);
  if (found.files.every(isSource)) return found;
  const written = await folder.findWritten();
  return { ...found, files: found.files.filter((one) => isSource(one) || !written.has(one.path)) };
}

/**
 * Refuses a folder that holds sessions of this run: they would be overwritten, or their exports read
 * as sessions.
 */
export function refuseOwnFiles({ files }: FoundFiles, out: string): void {
  const inside = files.find(({ path }) => isInside(path, out));
  if (inside) throw new UsageError(`--out ${out}: must not contain the sessions being exported`);
}
