import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import { type BatchOptions, runBatch } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import { isChange, STOPPED } from '../../session/model/action.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { getFileSize } from '../../store/files/stat-file.ts';
import { refuseLink } from '../../store/output/refuse-link.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import { type Context, toAgentWorld } from '../command.ts';
import { restoreNamesBeside } from '../shared/select/left-aside.ts';
import { splitBySession, splitFound, withProgress } from '../shared/run-sessions.ts';
import { type MigrateItem, type MigrateSetup, task as migrateTask } from './task.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import {
  type MigrationResult,
  type Relocation,
  toUnchangedResult,
} from '../../session/migrate/types.ts';
import type { MigrateRequest, RelocationTask, UpgradeTask } from './request.ts';
import { toMigratedPath } from '../../session/migrate/destination.ts';
import { mirrorPath } from '../../session/model/paths.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';

/** A file, and what is to happen to it besides its migration. */
export interface MigrationJob {
  readonly file: FoundFile;
  readonly relocation?: Relocation | undefined;
}

export interface Migrated {
  readonly results: readonly MigrationResult[];
  readonly problems: readonly FileProblem[];
}

type RunnerRequest = MigrateRequest<UpgradeTask | RelocationTask>;

/** Migrates files many at once, as the request says. */
export class MigrationRunner {
  readonly #request: RunnerRequest;
  readonly #context: Context;
  readonly #roots: readonly string[];
  /** See `UpgradeTask.out`. */
  readonly #out: string | undefined;

  constructor(request: RunnerRequest, context: Context, roots: readonly string[]) {
    this.#request = request;
    this.#context = context;
    this.#roots = roots;
    this.#out = request.task.kind === 'upgrade' ? request.task.out : undefined;
  }

  async run(jobs: readonly MigrationJob[]): Promise<Migrated> {
    const { change } = this.#request;
    const toStopped = change.apply ? toStoppedResult : undefined;
    // A move may take several runs, and an earlier one may have been stopped.
    if (toStopped && this.#context.signal.aborted) {
      return { results: jobs.map(({ file }) => toStopped(file)), problems: [] };
    }
    const { writable, problems } = await this.#checkPlaces(jobs);
    const cleaned = await this.#cleanUp(writable);
    return withProgress('Migrating', writable.length, this.#context, async (onDone) => {
      const done = await this.#runTask(writable, this.#setUp(), { onDone, toStopped });
      return { ...done, problems: [...problems, ...cleaned, ...done.problems] };
    });
  }

  /** Finds out, and changes nothing: returns the paths of the sessions that would be moved now. */
  async findMoving(jobs: readonly MigrationJob[]): Promise<readonly string[]> {
    if (jobs.length === 0) return [];
    const { writable } = await this.#checkPlaces(jobs);
    const setup = { ...this.#setUp(), apply: false };
    const { results } = await this.#runTask(writable, setup);
    return results.filter(isChange).map(({ path }) => path);
  }

  /**
   * Leaves out jobs whose files would be written through a link below where they are to be put, or over the session
   * of another job.
   */
  async #checkPlaces(jobs: readonly MigrationJob[]) {
    const { select } = this.#request;
    const out = this.#out;
    const collisions = await this.#findCollisions(jobs);
    const check = async ({ file, relocation }: MigrationJob): Promise<void> => {
      if (file.linked && this.#skipsLinked) return;
      const copy = this.#findOut(file.path);
      if (out !== undefined && copy !== undefined) await refuseLink(out, dirname(copy));
      const first = collisions.get(file.path);
      if (first !== undefined) throw new FileError(file.path, 'EEXIST', describeCollision(first));
      const moveTo = relocation?.moveTo;
      if (moveTo !== undefined) await refuseLink(dirname(dirname(moveTo)), dirname(moveTo));
    };
    const mayConflict = out !== undefined || jobs.some(({ relocation }) => relocation?.moveTo);
    if (!mayConflict) return { writable: jobs, problems: [] };
    const outcomes = await runBatch(jobs, check, {
      jobs: select.jobs,
      signal: this.#context.signal,
    });
    const writable = outcomes.flatMap(({ ok, item }) => (ok ? [item] : []));
    return { writable, problems: splitBySession(outcomes, ({ file }) => file).problems };
  }

  /**
   * Finds the jobs whose copy would overwrite that of an earlier job: two stores may hold files of the same name. Maps
   * the path of each to that of the earlier one.
   */
  async #findCollisions(jobs: readonly MigrationJob[]): Promise<ReadonlyMap<string, string>> {
    const byPlace = groupBy(jobs, ({ file }) => {
      const copy = this.#findOut(file.path);
      return copy && toMigratedPath(copy);
    });
    const shared = [...byPlace.values()].filter(({ length }) => length > 1);
    if (shared.length === 0) return new Map();
    const setup = { ...this.#setUp(), apply: false };
    const { results } = await this.#runTask(shared.flat(), setup);
    const changing = new Set(results.filter(isChange).map(({ path }) => path));
    const pairs = shared.flatMap((group) => {
      const paths = group.map(({ file }) => file.path).filter((path) => changing.has(path));
      const [first = '', ...others] = paths;
      return others.map((path) => [path, first] as const);
    });
    return new Map(pairs);
  }

  async #runTask(
    jobs: readonly MigrationJob[],
    setup: MigrateSetup,
    how: Pick<BatchOptions<MigrateItem, MigrationResult>, 'onDone' | 'toStopped'> = {},
  ): Promise<Migrated> {
    const items = jobs.map(({ file, relocation }) => {
      return { ...file, relocation, out: this.#findOut(file.path) };
    });
    const outcomes = await runTask(migrateTask, setup, items, {
      jobs: this.#request.select.jobs,
      signal: this.#context.signal,
      env: this.#context.env,
      getSize: ({ path }) => getFileSize(path),
      ...how,
    });
    const { values: results, problems } = splitFound(outcomes);
    return { results, problems };
  }

  #setUp(): MigrateSetup {
    const { change, check, task } = this.#request;
    return {
      apply: change.apply,
      skipsLinked: this.#skipsLinked,
      backupSuffix: task.backup,
      // A session in use still counts as outdated; only changing it has to wait.
      grace: check ? undefined : change.grace,
      now: this.#context.now(),
      assumedCwd: task.kind === 'upgrade' ? task.assumedCwd : undefined,
      world: toAgentWorld(this.#context),
    };
  }

  /** Copies and checks are made of files behind links, too. */
  get #skipsLinked(): boolean {
    return this.#out === undefined && !this.#request.check;
  }

  #findOut(path: string): string | undefined {
    return this.#out === undefined ? undefined : mirrorPath(path, this.#roots, this.#out);
  }

  async #cleanUp(all: readonly MigrationJob[]): Promise<readonly FileProblem[]> {
    const { change, select } = this.#request;
    if (!change.apply) return [];
    const jobs = all.filter(({ file }) => !file.linked || !this.#skipsLinked);
    const moved = jobs.flatMap(({ file: { path }, relocation }) => {
      return relocation?.moveTo === undefined ? [] : [path, relocation.moveTo];
    });
    const paths = [...jobs.map(({ file: { path } }) => this.#findOut(path) ?? path), ...moved];
    return [
      ...(await cleanUpBeside(paths, select.jobs, this.#context)),
      ...(await restoreNamesBeside(moved, select.jobs, this.#context)),
    ];
  }
}

function describeCollision(first: string): string {
  return `would be written to the same path below --out as ${first}; migrate each store into a directory of its own`;
}

/** The result for a file that is left when the run is stopped. */
function toStoppedResult({ path }: FoundFile): MigrationResult {
  const unread = { path, size: getFileSize(path), formatVersion: null };
  return toUnchangedResult(unread, { action: 'skip', reasons: [STOPPED] });
}
