import type { ExitCode } from '../../errors.ts';
import { entryColumns } from '../../report/list/entry-columns.ts';
import type { JsonReport } from '../../report/text/json.ts';
import { listEntries as readEntries } from '../../session/read/list-entries.ts';
import type { Context } from '../command.ts';
import type { EntriesDocument } from '../shared/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../shared/output.ts';
import { createNaming } from '../shared/stdin.ts';
import { readOneFile } from './one-file.ts';
import type { ListArgs } from './options.ts';

/** `coppice list <session> --entries`. */
export async function listEntries(args: ListArgs, context: Context): Promise<ExitCode> {
  const { signal } = context;
  const read = (path: string) => readEntries(path, args.filter, { signal });
  const { path, value: all = [], problems } = await readOneFile('--entries', read, args, context);
  const name = createNaming(args, context);
  const shown = all.filter(({ visible }) => visible);
  // Programs get every entry, so that each parent has its row.
  const results = all.slice(0, args.limit).map(({ branchDepth: _, ...entry }) => entry);
  const report: JsonReport<EntriesDocument> = {
    command: 'list',
    results,
    summary: { path: name({ path }).path, entries: all.length, visible: shown.length },
  };
  if (!(await writeMachineReport(report, args, context))) {
    await writeTable(shown.slice(0, args.limit), entryColumns, args, context);
  }
  return reportProblems(problems.map(name), context);
}
