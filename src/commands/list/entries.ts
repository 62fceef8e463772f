import type { ExitCode } from '../../errors.ts';
import { createEntryColumns } from '../../report/list/entry-columns.ts';
import { formatEntriesFooter } from '../../report/list/footer.ts';
import type { JsonReport } from '../../report/text/json.ts';
import { readEntries } from '../../session/read/read-entries.ts';
import type { Context } from '../command.ts';
import type { EntriesDocument } from '../shared/output/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../shared/output/output.ts';
import { createNaming } from '../shared/stdin.ts';
import { readOneFile } from './one-file.ts';
import type { ListRequest, ListView } from './request.ts';

/** Runs `coppice list <session> --entries`. */
export async function listEntries(
  { select, output, limit, view }: ListRequest<Extract<ListView, { kind: 'entries' }>>,
  context: Context,
): Promise<ExitCode> {
  const { signal } = context;
  const read = (path: string) => readEntries(path, view.filter, { signal });
  const { path, value: all = [], problems } = await readOneFile('--entries', read, select, context);
  const name = createNaming(select);
  const unusable = problems.map(name);
  const shown = all.filter(({ visible }) => visible);
  if (output.format === 'table') {
    const rows = shown.slice(0, limit);
    await writeTable(rows, createEntryColumns(), output, context);
    if (!output.quiet && problems.length === 0) {
      const counts = { shown: rows.length, visible: shown.length, total: all.length };
      const hasMore = shown.length < all.length && view.filter !== 'all';
      await context.terminal.out.write(formatEntriesFooter(counts, hasMore));
    }
  } else {
    const report: JsonReport<EntriesDocument> = {
      command: 'list',
      // Programs get every entry, so that each parent has its row.
      results: [...all.slice(0, limit).map(({ branchDepth: _, ...entry }) => entry), ...unusable],
      summary: { path: name({ path }).path, entries: all.length, visible: shown.length },
    };
    await writeMachineReport(report, output, context);
  }
  return reportProblems(unusable, context);
}
