import { dirname, resolve } from 'node:path';
import { runBatch } from '../../batch/run-batch.ts';
import { runTask } from '../../batch/run-task.ts';
import { isChange } from '../../session/model/action.ts';
import { parseAge } from '../../store/select/age.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import { getFileSize } from '../../store/read/stat-file.ts';
import { mirrorPath } from '../../store/output/mirror-path.ts';
import { refuseLink } from '../../store/output/refuse-link.ts';
import { cleanUpBeside } from '../shared/clean-up.ts';
import { applies } from '../shared/report-actions.ts';
import type { Context } from '../command.ts';
import { withProgress } from '../shared/run-sessions.ts';
import { type MigrateSetup, task as migrateTask } from './task.ts';
import { type FileProblem, LINKED, toProblem } from '../shared/select.ts';
import type { MigrationResult, Relocation } from '../../session/migrate/types.ts';
import type { MigrateArgs } from './options.ts';

/** A file, and what is to happen to it besides its migration. */
export interface MigrationJob {
  readonly file: FoundFile;
  readonly relocation?: Relocation | undefined;
}

export interface Migrated {
  readonly results: readonly MigrationResult[];
  readonly problems: readonly FileProblem[];
}

/** Migrates files many at once, as the options say. */
export class MigrationRunner {
  readonly applies: boolean;
  readonly #args: MigrateArgs;
  readonly #context: Context;
  readonly #roots: readonly string[];

  constructor(args: MigrateArgs, context: Context, roots: readonly string[]) {
    this.applies = applies(args);
    this.#args = args;
    this.#context = context;
    this.#roots = roots;
  }

  async run(jobs: readonly MigrationJob[]): Promise<Migrated> {
    const own = jobs.filter((job) => !this.#isOthers(job));
    const others = jobs.filter((job) => this.#isOthers(job));
    const { writable, problems } = await this.#checkPlaces(own);
    const cleaned = await this.#cleanUp(writable);
    return withProgress('Migrating', jobs.length, this.#context, async (onDone) => {
      const done = await this.#runTask(writable, this.#setUp(), onDone);
      const left = await this.#runTask(others, { ...this.#setUp(), apply: false }, onDone);
      return {
        results: [...done.results, ...left.results.map(leaveLinked)],
        problems: [...problems, ...cleaned, ...done.problems, ...left.problems],
      };
    });
  }

  /** Not to be changed, because a link leads to it. */
  #isOthers({ file }: MigrationJob): boolean {
    const { out, check } = this.#args;
    return file.linked && out === undefined && !check;
  }

  /** Without those that would be written through a link below where they are to be put. */
  async #checkPlaces(jobs: readonly MigrationJob[]) {
    const check = async ({ file, relocation }: MigrationJob): Promise<void> => {
      const out = this.#findOut(file.path);
      if (out !== undefined) await refuseLink(this.#getOut(), dirname(out));
      const moveTo = relocation?.moveTo;
      if (moveTo !== undefined) await refuseLink(dirname(dirname(moveTo)), dirname(moveTo));
    };
    const { jobs: limit, out: isCopy } = this.#args;
    const mayStray = isCopy !== undefined || jobs.some(({ relocation }) => relocation?.moveTo);
    if (!mayStray) return { writable: jobs, problems: [] };
    const outcomes = await runBatch(jobs, check, { jobs: limit, signal: this.#context.signal });
    return {
      writable: outcomes.flatMap(({ ok, item }) => (ok ? [item] : [])),
      problems: outcomes.flatMap((one) => (one.ok ? [] : [toProblem(one.error)])),
    };
  }

  async #runTask(
    jobs: readonly MigrationJob[],
    setup: MigrateSetup,
    onDone: () => void,
  ): Promise<Migrated> {
    const items = jobs.map(({ file: { path }, relocation }) => {
      return { path, relocation, out: this.#findOut(path) };
    });
    const outcomes = await runTask(migrateTask, setup, items, {
      jobs: this.#args.jobs,
      signal: this.#context.signal,
      env: this.#context.env,
      getSize: ({ path }) => getFileSize(path),
      onDone,
    });
    const results: MigrationResult[] = [];
    const problems: FileProblem[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const { path } = outcome.item;
      const explicit = jobs[index]?.file.explicit;
      if (!outcome.ok) problems.push(toProblem(outcome.error));
      else if ('path' in outcome.value) results.push(outcome.value);
      else if (explicit) problems.push({ path, problem: outcome.value.problem });
    }
    return { results, problems };
  }

  #setUp(): MigrateSetup {
    const { check, grace, backup } = this.#args;
    const now = this.#context.now();
    return {
      apply: this.applies,
      backupSuffix: backup,
      // What is old is old, also while it is in use; only changing it has to wait.
      grace: check ? undefined : parseAge(grace, '--grace', now),
      now,
    };
  }

  #findOut(path: string): string | undefined {
    return this.#args.out === undefined ? undefined : mirrorPath(path, this.#roots, this.#getOut());
  }

  #getOut(): string {
    return resolve(this.#context.cwd, this.#args.out ?? '');
  }

  #cleanUp(jobs: readonly MigrationJob[]): Promise<readonly FileProblem[]> {
    const paths = jobs.map(({ file }) => this.#findOut(file.path) ?? file.path);
    return cleanUpBeside(this.applies ? paths : [], this.#args.jobs, this.#context);
  }
}

/** What would be done to it, if it were ours. */
function leaveLinked(result: MigrationResult): MigrationResult {
  if (!isChange(result)) return result;
  const { path, bytesBefore, fromVersion } = result;
  const stays = {
    bytesAfter: bytesBefore,
    toVersion: fromVersion,
    newPath: null,
    backupPath: null,
  };
  return {
    path,
    action: 'skip',
    reasons: [LINKED],
    bytesBefore,
    fromVersion,
    ...stays,
    problems: [],
  };
}
