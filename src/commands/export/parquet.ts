import { runTask } from '../../batch/run-task.ts';
import { type ExitCode, UsageError } from '../../errors.ts';
import { toSessionRow } from '../../export/formats/parquet/tables.ts';
import { toShortHash } from '../../export/short-hash.ts';
import type { ActionResult } from '../../session/model/action.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';
import type { InheritedUsages } from '../../session/model/usage.ts';
import type { FileProblem, SessionSummary } from '../../session/model/summary.ts';
import { ExportFolder } from '../../store/output/export-folder.ts';
import type { RecordedProblem } from '../../store/output/export-records.ts';
import { SourceStates } from '../../store/output/source-states.ts';
import type { Context } from '../command.ts';
import type { DatasetResult } from '../shared/output/documents.ts';
import { collectProblem } from '../shared/clean-up.ts';
import { splitOutcomes, withProgress } from '../shared/run-sessions.ts';
import { findSessions } from '../shared/select/sessions.ts';
import { reportUnredacted } from './folder/leftover.ts';
import { type Partition, task, type WrittenTables } from './parquet-task.ts';
import type { DatasetPlan } from './plan.ts';
import { reportExport } from './report.ts';
import { type ExportRequest, toPartName } from './request.ts';
import { describeBelow, findShared, listCopied } from './shared-usage.ts';

/** The beginning of the keys of partitions in the record of a folder. */
const PREFIX = 'parquet:';

/** Runs `coppice export --as parquet`: three tables, of which only changed months are written again. */
export async function exportParquet(
  plan: DatasetPlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  const found = await findSessions(request.select, context, {
    usage: true,
    lineage: true,
    followsProject: true,
  });
  const { sessions, everywhere } = found;
  const unusable = sessions.flatMap(({ path, problem }) => (problem ? { path, problem } : []));
  const problems = [...found.problems, ...unusable];
  const usable = sessions.filter(({ problem }) => !problem);
  const inherited = findShared(everywhere);
  const part = toPartName(request.select.selection.shard);
  const folder = await ExportFolder.open(plan.out, context.now(), part);
  refuseOtherParts(folder, plan, part);
  const partitions = groupByMonth(usable, inherited);
  const tables = new Tables(folder, plan, part, request, context);
  const unsaved: FileProblem[] = [];
  const write = async (): Promise<void> => {
    await tables.write(partitions);
    // A session that could not be read now may still exist.
    if (found.isComplete && unusable.length === 0 && !request.dryRun)
      tables.removeOthers(partitions);
  };
  const save = async (): Promise<void> => {
    if (!request.dryRun) unsaved.push(...(await collectProblem(() => folder.save())));
  };
  await releaseAfter(write, save);
  const { results, problems: failed } = tables.conclude(partitions);
  const all = [...problems, ...failed, ...unsaved];
  const inPartitions = usable.length + problems.length;
  const exitCode = await reportExport(results, all, request, context, { inPartitions });
  if (!request.dryRun) await reportUnredacted(folder, plan.redaction, context);
  return exitCode;
}

/**
 * Refuses a directory with another number of parts, whose sessions would be counted twice. @throws
 * UsageError
 */
function refuseOtherParts(folder: ExportFolder, { out }: DatasetPlan, part: string): void {
  const toCount = (name: string): string => name.split('of')[1] ?? 'none';
  const other = folder.listParts(PREFIX).find((name) => toCount(name) !== toCount(part));
  if (other === undefined) return;
  const count = toCount(other);
  const [found, remedy] =
    count === 'none'
      ? ['a data set without parts', 'leave out --shard']
      : [`a data set of ${count} parts`, `use --shard <i>/${count}`];
  throw new UsageError(
    `--out ${out}: holds ${found}, whose sessions would be counted twice; ${remedy}, or another directory`,
  );
}

function groupByMonth(
  sessions: readonly SessionSummary[],
  inherited: InheritedUsages,
): readonly Partition[] {
  const groups = groupBy(sessions, ({ agent, created, modified }) => {
    return `agent=${agent}/month=${(created ?? modified).slice(0, 7)}`;
  });
  return [...groups].map(([name, group]) => ({
    name,
    sessions: group.map(withoutUsages).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    inherited: new Map(
      group.flatMap(({ path }) => {
        const places = inherited.get(path);
        return places ? [[path, places] as const] : [];
      }),
    ),
  }));
}

/** The usages are read again: those of all sessions take more memory than those of one. */
function withoutUsages({ subagents, ...session }: SessionSummary): SessionSummary {
  const strip = <T extends UsagesOf>({ entryUsages: _, packedUsages: _packed, ...rest }: T) => rest;
  return { ...strip(session), ...(subagents && { subagents: subagents.map(strip) }) };
}

type UsagesOf = Pick<SessionSummary, 'entryUsages' | 'packedUsages'>;

interface Found {
  readonly action: ActionResult['action'];
  readonly reason: string;
  readonly problems: readonly RecordedProblem[];
  readonly bytes: number;
}

class Tables {
  readonly #folder: ExportFolder;
  readonly #plan: DatasetPlan;
  readonly #part: string;
  readonly #request: ExportRequest;
  readonly #context: Context;
  readonly #states = new SourceStates();
  /** The state of each partition that is written. */
  readonly #made = new Map<Partition, string>();
  readonly #found = new Map<Partition, Found>();
  readonly #problems: FileProblem[] = [];

  constructor(
    folder: ExportFolder,
    plan: DatasetPlan,
    part: string,
    request: ExportRequest,
    context: Context,
  ) {
    this.#folder = folder;
    this.#plan = plan;
    this.#part = part;
    this.#request = request;
    this.#context = context;
  }

  /** Writes the partitions that are not what they were when they were last written. */
  async write(partitions: readonly Partition[]): Promise<void> {
    const { signal, env, now } = this.#context;
    const { out, secrets } = this.#plan;
    const setup = { out, part: this.#part, secrets, now: now(), env };
    await withProgress('Writing', partitions.length, this.#context, async (advance) => {
      const changed: Partition[] = [];
      for (const one of partitions) {
        if (await this.#isChanged(one)) changed.push(one);
        else advance();
      }
      const outcomes = await runTask(task, setup, changed, {
        jobs: this.#request.select.jobs,
        signal,
        env,
        getSize: ({ sessions }) => sessions.reduce((sum, { size }) => sum + size, 0),
        onDone: (outcome) => {
          if (outcome.ok) this.#record(outcome.item, outcome.value);
          advance();
        },
      });
      const { values, problems } = splitOutcomes(outcomes);
      this.#problems.push(...values.flatMap(({ failure }) => failure ?? []), ...problems);
    });
  }

  /** A result for each session of the partitions, in their order, and all that failed. */
  conclude(partitions: readonly Partition[]): {
    readonly results: readonly DatasetResult[];
    readonly problems: readonly FileProblem[];
  } {
    const results = partitions.flatMap((one) => this.#toResults(one, this.#found.get(one)));
    return { results, problems: this.#problems };
  }

  /** Months that hold no session any more would count twice what has moved elsewhere. */
  removeOthers(partitions: readonly Partition[]): void {
    const known = new Set(partitions.map(({ name }) => PREFIX + name));
    for (const [key] of this.#folder.list(PREFIX)) {
      if (!known.has(key)) this.#folder.remove(key);
    }
  }

  async #isChanged(partition: Partition): Promise<boolean> {
    const key = PREFIX + partition.name;
    const made = await this.#readState(partition);
    this.#made.set(partition, made);
    const current = await this.#folder.findCurrent(key, made);
    if (current) {
      const { problems } = current;
      this.#found.set(partition, {
        action: 'unchanged',
        reason: 'not changed',
        problems,
        bytes: 0,
      });
      return false;
    }
    if (!this.#request.dryRun) return true;
    const reason = partition.name;
    this.#found.set(partition, { action: 'export', reason, problems: [], bytes: 0 });
    return false;
  }

  #record(partition: Partition, { files, problems, isWhole }: WrittenTables): void {
    const key = PREFIX + partition.name;
    if (!isWhole) return this.#folder.setHalfway(key, files);
    const made = this.#made.get(partition) ?? '';
    const { redaction } = this.#plan;
    this.#folder.set(key, { made, redaction, files, problems });
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    this.#found.set(partition, { action: 'export', reason: partition.name, problems, bytes });
  }

  #toResults({ sessions }: Partition, found: Found | undefined): readonly DatasetResult[] {
    if (!found) return [];
    const { action, reason, problems, bytes } = found;
    return sessions.map(({ path, size }, index) => ({
      path,
      action,
      reasons: [reason],
      bytesBefore: size,
      bytesAfter: index === 0 ? bytes : 0,
      problems: problems
        .filter(({ of }) => of === toShortHash(path))
        .map(({ code, message }) => ({ code, message })),
    }));
  }

  /** Reads the state of a partition: another session, too, can change what a fork counts as its own. */
  async #readState({ sessions, inherited }: Partition): Promise<string> {
    const states: unknown[] = [];
    for (const session of sessions) {
      const { path, fileModified } = session;
      const beside = await this.#states.readBeside(path);
      const usage = [listCopied(inherited, path), describeBelow(session)];
      states.push([toSessionRow(session), fileModified, beside, ...usage]);
    }
    return toShortHash(JSON.stringify([this.#plan.signature, states]));
  }
}
