import type { Outcome } from '../../batch/run-batch.ts';
import { join } from 'node:path';
import { type ExitCode, FileError, isTooLong, UsageError } from '../../errors.ts';
import { createRows, type TableRows } from '../../export/formats/parquet/rows.ts';
import { writeTable, type Columns, type Row } from '../../export/formats/parquet/table.ts';
import {
  ENTRY_COLUMNS,
  SESSION_COLUMNS,
  USAGE_COLUMNS,
} from '../../export/formats/parquet/tables.ts';
import type { ActionResult } from '../../session/model/action.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { findInheritedEntries } from '../../session/model/tree/lineage.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import type { EntryUsage } from '../../session/model/usage.ts';
import { ExportFolder, type RecordedProblem } from '../../store/output/export-folder.ts';
import type { WrittenFile } from '../../store/output/output-directory.ts';
import { createSourceReader } from '../../store/sessions/surroundings.ts';
import { readVersion } from '../../package.ts';
import type { Context } from '../command.ts';
import { type ExportRequest, toPartName } from './request.ts';
import type { DatasetPlan } from './plan.ts';
import { reportExport } from './report.ts';
import { runSessions, splitOutcomes } from '../shared/run-sessions.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { findSessions } from '../shared/select/sessions.ts';
import { collectProblem } from '../shared/clean-up.ts';
import type { DatasetResult } from '../shared/output/documents.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';
import { toKey } from '../../export/file-stem.ts';

/** Sessions of one agent that started in one month: one file in each table. */
interface Partition {
  readonly name: string;
  readonly sessions: readonly SessionSummary[];
}

/** Runs `coppice export --as parquet`: three tables, of which only changed months are written again. */
export async function exportParquet(
  plan: DatasetPlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  const { sessions, everywhere, isComplete, problems } = await findSessions(
    request.select,
    context,
    {
      usage: true,
      lineage: true,
      followsProject: true,
    },
  );
  const usable = sessions.filter(({ problem }) => !problem);
  const inherited = findInheritedEntries(everywhere.filter(({ problem }) => !problem));
  const part = toPartName(request.select.selection.shard);
  const folder = await ExportFolder.open(plan.out, context.now(), part);
  refuseOtherParts(folder, plan, part);
  const tables = new Tables(folder, plan, part, inherited, request, context);
  const partitions = groupByMonth(usable);
  const unsaved: FileProblem[] = [];
  const write = async (): Promise<readonly Outcome<Partition, readonly DatasetResult[]>[]> => {
    const run = { label: 'Writing', jobs: 1, context };
    const outcomes = await runSessions(partitions, (one) => tables.write(one), run);
    // A session that could not be read now may still exist.
    const isSure = isComplete && !request.dryRun;
    if (isSure) tables.removeOthers(partitions);
    return outcomes;
  };
  const save = async (): Promise<void> => {
    if (!request.dryRun) unsaved.push(...(await collectProblem(() => folder.save())));
  };
  const outcomes = await releaseAfter(write, save);
  const results = outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
  const failed = splitOutcomes(outcomes).problems;
  return reportExport(results, [...problems, ...failed, ...unsaved], request, context, {
    isPartitioned: true,
  });
}

/**
 * Refuses a directory with another number of parts, whose sessions would be counted twice. @throws
 * UsageError
 */
function refuseOtherParts(folder: ExportFolder, { out }: DatasetPlan, part: string): void {
  const toCount = (name: string): string => name.split('of')[1] ?? 'none';
  const other = folder.listParts('parquet:').find((name) => toCount(name) !== toCount(part));
  if (other === undefined) return;
  const count = toCount(other);
  const [found, remedy] =
    count === 'none'
      ? ['a data set without parts', 'leave out --shard']
      : [`a dataset of ${count} parts`, `use --shard <i>/${count}`];
  throw new UsageError(
    `--out ${out}: holds ${found}, whose sessions would be counted twice; ${remedy}, or another directory`,
  );
}

function groupByMonth(sessions: readonly SessionSummary[]): readonly Partition[] {
  const groups = groupBy(sessions, ({ agent, created, modified }) => {
    return `agent=${agent}/month=${(created ?? modified).slice(0, 7)}`;
  });
  return [...groups].map(([name, group]) => ({
    name,
    sessions: group.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }));
}

class Tables {
  readonly #prefix: string;
  readonly #folder: ExportFolder;
  readonly #plan: DatasetPlan;
  readonly #part: string;
  readonly #inherited: ReadonlyMap<string, readonly EntryUsage[]>;
  readonly #request: ExportRequest;
  readonly #context: Context;

  constructor(
    folder: ExportFolder,
    plan: DatasetPlan,
    part: string,
    inherited: ReadonlyMap<string, readonly EntryUsage[]>,
    request: ExportRequest,
    context: Context,
  ) {
    this.#prefix = 'parquet:';
    this.#folder = folder;
    this.#plan = plan;
    this.#part = part;
    this.#inherited = inherited;
    this.#request = request;
    this.#context = context;
  }

  async write(partition: Partition): Promise<readonly DatasetResult[]> {
    const key = this.#prefix + partition.name;
    const made = this.#getState(partition);
    const toResults = (
      action: ActionResult['action'],
      reason: string,
      { problems = [], bytes = 0 }: { problems?: readonly RecordedProblem[]; bytes?: number } = {},
    ): DatasetResult[] =>
      partition.sessions.map(({ path, size }, index) => ({
        path,
        action,
        reasons: [reason],
        bytesBefore: size,
        bytesAfter: index === 0 ? bytes : 0,
        problems: problems
          .filter(({ of }) => of === toKey(path))
          .map(({ code, message }) => ({ code, message })),
      }));
    const current = await this.#folder.findCurrent(key, made);
    if (current) return toResults('unchanged', 'not changed', current);
    if (this.#request.dryRun) return toResults('export', partition.name);
    const problems: RecordedProblem[] = [];
    const rows = await createRows({
      secrets: this.#plan.secrets,
      inherited: this.#inherited,
      readSource: createSourceReader(),
      generator: `coppice ${readVersion()}`,
      onGap: (path, gap) => problems.push({ ...gap, of: toKey(path) }),
      signal: this.#context.signal,
    });
    const files = await this.#writeTables(key, partition, rows);
    const { redaction } = this.#plan;
    this.#folder.set(key, { made, redaction, files, problems });
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    return toResults('export', partition.name, { problems, bytes });
  }

  async #writeTables(
    key: string,
    partition: Partition,
    rows: TableRows,
  ): Promise<readonly WrittenFile[]> {
    const { sessions } = partition;
    const files: WrittenFile[] = [];
    const add = async <C extends Columns>(
      table: string,
      columns: C,
      all: AsyncIterable<Row<C>>,
    ): Promise<void> => {
      files.push(await this.#writeTable(table, partition, columns, all));
    };
    try {
      await add('sessions', SESSION_COLUMNS, rows.sessions(sessions));
      await add('usage', USAGE_COLUMNS, rows.usage(sessions));
      await add('entries', ENTRY_COLUMNS, rows.entries(sessions));
    } catch (error) {
      this.#folder.setHalfway(key, files);
      throw error;
    }
    return files;
  }

  /** Months that hold no session any more would count twice what has moved elsewhere. */
  removeOthers(partitions: readonly Partition[]): void {
    const known = new Set(partitions.map(({ name }) => this.#prefix + name));
    for (const [key] of this.#folder.list(this.#prefix)) {
      if (!known.has(key)) this.#folder.remove(key);
    }
  }

  async #writeTable<C extends Columns>(
    table: string,
    partition: Partition,
    columns: C,
    rows: AsyncIterable<Row<C>>,
  ): Promise<WrittenFile> {
    const name = `${table}/${partition.name}/part${this.#part}.parquet`;
    try {
      return await this.#folder.output.write(name, writeTable(columns, rows));
    } catch (error) {
      if (!isTooLong(error)) throw error;
      const path = join(this.#folder.output.directory, name);
      const message = 'cannot be written: a text of its sessions is too long';
      throw new FileError(path, 'ETOOLONG', message, { cause: error });
    }
  }

  /** Returns the state of a partition: another session, too, can change what a fork counts as its own. */
  #getState({ sessions }: Partition): string {
    const states = sessions.map(({ path, size, fileModified }) => [
      path,
      size,
      fileModified,
      this.#inherited.get(path)?.length ?? 0,
    ]);
    return toKey(JSON.stringify([this.#plan.signature, states]));
  }
}
