import type { Outcome } from '../../batch/run-batch.ts';
import { type ExitCode, OutputError, UsageError } from '../../errors.ts';
import { Backup } from '../../store/archive/copy/back-up.ts';
import {
  type CopyItem,
  type CopyOutcome,
  SessionCopier,
} from '../../store/archive/copy/copy-sessions.ts';
import { BACKUP_WORDS } from '../../report/export/footer.ts';
import type { Context } from '../command.ts';
import type { ExportResult } from '../shared/output/documents.ts';
import { reportProblems } from '../shared/output/output.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import { encodeArchive } from '../../store/archive/stream.ts';
import { withPrivateDirectory } from '../../store/files/private-directory.ts';
import { runSessions } from '../shared/run-sessions.ts';
import { createReader } from '../shared/summaries.ts';
import { findProblems, isGoneSince, toProblem } from '../../store/select/found-file.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { findRoots } from '../shared/select/files.ts';
import { findFilesToCopy } from './find-files-to-copy.ts';
import type { ArchivePlan } from './plan.ts';
import { reportExport } from './report.ts';
import type { ExportRequest } from './request.ts';

/** Runs `coppice export --as archive`: copies sessions into an archive, and changes none of them. */
export async function exportArchive(
  { out }: ArchivePlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  if (out === undefined) return streamArchive(request, context);
  const { results, problems } = await copyInto(out, request, context);
  return reportExport(results, problems, request, context, { words: BACKUP_WORDS });
}

interface CopyResults {
  readonly results: readonly ExportResult[];
  readonly problems: readonly FileProblem[];
}

async function copyInto(
  out: string,
  request: ExportRequest,
  context: Context,
): Promise<CopyResults> {
  const { select, dryRun } = request;
  const chosen = await findFilesToCopy(select, out, context);
  const stores = await findRoots(select, context);
  const backup = await Backup.open(out, context.now, { dryRun });
  const readAll = createReader(select, context);
  const sources = { ...chosen, stores, readAll, world: context };
  const { signal } = context;
  const copier = new SessionCopier(backup, sources, { dryRun, signal, now: context.now() });
  const found = await copier.find();
  const how = { label: 'Copying', jobs: select.jobs, context };
  const outcomes = await runSessions(found.items, (item) => copier.copy(item), how);
  const problems = [
    ...chosen.problems,
    ...found.problems,
    ...backup.problems.map(toProblem),
    ...toProblems(outcomes),
  ];
  const results = outcomes.flatMap((outcome) =>
    outcome.ok && outcome.value ? toResult(outcome.value) : [],
  );
  return { results, problems };
}

/** One tar on standard output: the files of an archive, which is gone afterwards. */
async function streamArchive(request: ExportRequest, context: Context): Promise<ExitCode> {
  const { out } = context.terminal;
  if (out.isTerminal)
    throw new UsageError('--out -: writes a tar; redirect it to a file or a program');
  return withPrivateDirectory(async (directory) => {
    const { results, problems } = await copyInto(directory, request, context);
    for await (const chunk of encodeArchive(directory)) {
      context.signal.throwIfAborted();
      await out.write(chunk);
      if (out.isAbandoned) throw new OutputError('the program that reads it has ended', false);
    }
    const skipped = results.flatMap(({ path, action, reasons }) =>
      action === 'skip' ? [{ path, reasons }] : [],
    );
    for (const { path, reasons } of request.select.quiet ? [] : skipped) {
      const why = toPlainLine(reasons.join(', '));
      await context.terminal.err.write(
        `coppice: ${formatPath(path, context.home)}: skipped: ${why}\n`,
      );
    }
    return reportProblems(problems, context);
  });
}

function toResult({ archived, ...outcome }: CopyOutcome): ExportResult {
  const outputs = archived === undefined ? [] : [archived];
  return { ...outcome, problems: [], outputs, redactions: [] };
}

function toProblems(outcomes: readonly Outcome<CopyItem, unknown>[]): readonly FileProblem[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.ok || isGoneSince(outcome.item.file, outcome.error)) return [];
    return findProblems(outcome.item.file, outcome.error);
  });
}
