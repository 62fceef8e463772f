import type { Variables } from '../../session/dialect/surroundings/world.ts';
import { join } from 'node:path';
import type { Task } from '../../batch/task.ts';
import { FileError, isTooLong } from '../../errors.ts';
import { toShortHash } from '../../export/short-hash.ts';
import { createRows, type TableRows } from '../../export/formats/parquet/rows.ts';
import {
  type Columns,
  isOwnTable,
  type Row,
  writeTable,
} from '../../export/formats/parquet/table.ts';
import {
  ENTRY_COLUMNS,
  SESSION_COLUMNS,
  USAGE_COLUMNS,
} from '../../export/formats/parquet/tables.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import { refuseForeign } from '../../store/output/refuse-foreign.ts';
import type { RecordedProblem } from '../../store/output/export-records.ts';
import { OutputDirectory, type WrittenFile } from '../../store/output/output-directory.ts';
import { readVersion } from '../../package.ts';
import { toProblem } from '../../store/select/found-file.ts';
import { createSubagentReader } from '../../store/sessions/subagents.ts';
import { createSourceReader } from '../../store/sessions/surroundings.ts';

/** Sessions of one agent that started in one month: one file in each table. */
export interface Partition {
  readonly name: string;
  /** Their summaries, without the usage of entries, also of sub-agents. */
  readonly sessions: readonly SessionSummary[];
  /** The `inherited` of a `RowSource`, for these sessions. */
  readonly inherited: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface TableSetup {
  readonly out: string;
  /** The part in the names of files; empty if there is only one. */
  readonly part: string;
  /** The secrets to take out; undefined: nothing is taken out. */
  readonly secrets: readonly string[] | undefined;
  /** Milliseconds. */
  readonly now: number;
  readonly env: Variables;
}

export interface WrittenTables {
  readonly files: readonly WrittenFile[];
  readonly problems: readonly RecordedProblem[];
  /** False where the run was stopped, or something failed. */
  readonly isWhole: boolean;
  readonly failure?: FileProblem;
}

/** Writes the tables of partitions into one directory. */
export const task: Task<TableSetup, Partition, WrittenTables> = {
  name: 'parquet',
  atOnce: 1,
  savesMemory: true,
  start({ out, part, secrets, now, env }, signal) {
    const output = new OutputDirectory(out, now);
    const readWhole = createSourceReader({ env });
    return async ({ name, sessions, inherited }) => {
      const files: WrittenFile[] = [];
      const problems: RecordedProblem[] = [];
      const rows = await createRows({
        secrets,
        readWhole,
        addSubagents: createSubagentReader({ usage: true, signal }),
        inherited,
        generator: `coppice ${readVersion()}`,
        onGap: (path, gap) => problems.push({ ...gap, of: toShortHash(path) }),
        signal,
      });
      const toName = (table: string): string => `${table}/${name}/part${part}.parquet`;
      try {
        for await (const file of writeTables(output, toName, rows, sessions)) files.push(file);
        return { files, problems, isWhole: true };
      } catch (error) {
        if (signal.aborted) return { files, problems, isWhole: false };
        if (!(error instanceof FileError)) throw error;
        return { files, problems, isWhole: false, failure: toProblem(error) };
      }
    };
  },
};

async function* writeTables(
  output: OutputDirectory,
  toName: (table: string) => string,
  rows: TableRows,
  sessions: readonly SessionSummary[],
): AsyncGenerator<WrittenFile> {
  // A line that an agent writes during the run may give away what is in all tables.
  yield writeOne(output, toName('entries'), ENTRY_COLUMNS, rows.entries(sessions));
  yield writeOne(output, toName('sessions'), SESSION_COLUMNS, rows.sessions(sessions));
  yield writeOne(output, toName('usage'), USAGE_COLUMNS, rows.usage(sessions));
}

async function writeOne<C extends Columns>(
  output: OutputDirectory,
  name: string,
  columns: C,
  rows: AsyncIterable<Row<C>>,
): Promise<WrittenFile> {
  const path = join(output.directory, name);
  try {
    await refuseForeign(path, 'end', isOwnTable);
    return await output.write(name, writeTable(columns, rows));
  } catch (error) {
    if (!isTooLong(error)) throw error;
    const message = 'cannot be written: a text of its sessions is too long';
    throw new FileError(path, 'ETOOLONG', message, { cause: error });
  }
}
