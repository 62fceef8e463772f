import type { JsonReport } from '../../report/text/json.ts';
import { type ExitCode, UsageError } from '../../errors.ts';
import { entryColumns } from '../../report/list/entry-columns.ts';
import { runBatch } from '../../batch/run-batch.ts';
import { listEntries as readEntries } from '../../session/read/list-entries.ts';
import type { Context } from '../command.ts';
import type { EntriesDocument } from '../shared/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../shared/output.ts';
import { createNaming } from '../shared/stdin.ts';
import { type FileProblem, findFiles, toProblem } from '../shared/select.ts';
import type { ListArgs } from './options.ts';

/** `coppice list <session> --entries`. */
export async function listEntries(args: ListArgs, context: Context): Promise<ExitCode> {
  const { files, problems } = await findFiles(args, context, { followsProject: true });
  const [file] = files;
  if (!file || files.length > 1) {
    throw new UsageError(
      `--entries shows one session, not ${files.length}: name its file or its id`,
    );
  }
  const name = createNaming(args, context);
  const { signal } = context;
  const [outcome] = await runBatch(
    [file],
    ({ path }) => readEntries(path, args.filter, { signal }),
    { jobs: 1, signal },
  );
  const unusable: FileProblem[] = [...problems];
  if (outcome && !outcome.ok) unusable.push(toProblem(outcome.error));
  const all = outcome?.ok ? outcome.value : [];
  const shown = all.filter(({ visible }) => visible);
  // Programs get every entry, so that each parent has its row.
  const results = all.slice(0, args.limit).map(({ branchDepth: _, ...entry }) => entry);
  const report: JsonReport<EntriesDocument> = {
    command: 'list',
    results,
    summary: { path: name(file).path, entries: all.length, visible: shown.length },
  };
  if (!(await writeMachineReport(report, args, context))) {
    await writeTable(shown.slice(0, args.limit), entryColumns, args, context);
  }
  return reportProblems(unusable.map(name), context);
}
