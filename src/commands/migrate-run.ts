import { resolve } from 'node:path';
import { runTask } from '../batch/run-task.ts';
import type { ExitCode } from '../errors.ts';
import type { MigrationResult, Relocation } from '../session/migrate-session.ts';
import { parseAge } from '../store/age.ts';
import type { FoundFile } from '../store/discover.ts';
import { getFileSize } from '../store/stat-file.ts';
import { mirrorPath } from '../store/mirror-path.ts';
import { cleanUpBeside } from './clean-up.ts';
import type { Context } from './command.ts';
import type { MigrateArgs } from './migrate.ts';
import { relocateSessions } from './migrate-relocate.ts';
import { reportMigration } from './migrate-report.ts';
import { type MigrateSetup, task as migrateTask } from './tasks/migrate-task.ts';
import { type FileProblem, findChosenFiles, findRoots, toProblem } from './select-sessions.ts';

const WORDS = { verb: 'migrate', past: 'Migrated', how: 'add --apply' };
const RELOCATION_WORDS = { verb: 'move', past: 'Moved', how: 'add --apply' };

/** A file, and what is to happen to it besides its migration. */
export interface MigrationJob {
  readonly file: FoundFile;
  readonly relocation?: Relocation | undefined;
}

export interface Migrated {
  readonly results: readonly MigrationResult[];
  readonly problems: readonly FileProblem[];
}

/** `coppice migrate`. */
export async function runMigration(args: MigrateArgs, context: Context): Promise<ExitCode> {
  const { files, problems } = await findChosenFiles(args, context);
  const runner = new MigrationRunner(args, context, await findRoots(args, context));
  const { results, problems: more } = args.cwd
    ? await relocateSessions(files, runner, args, context)
    : await runner.run(files.map((file) => ({ file })));
  const words = args.cwd ? RELOCATION_WORDS : WORDS;
  const run = { applied: runner.applies, results, problems: [...problems, ...more], words };
  return reportMigration(run, args, context);
}

/** Migrates files many at once, as the options say. */
export class MigrationRunner {
  readonly applies: boolean;
  readonly #args: MigrateArgs;
  readonly #context: Context;
  readonly #roots: readonly string[];

  constructor(args: MigrateArgs, context: Context, roots: readonly string[]) {
    this.applies = args.apply && !args['dry-run'];
    this.#args = args;
    this.#context = context;
    this.#roots = roots;
  }

  async run(jobs: readonly MigrationJob[]): Promise<Migrated> {
    const { terminal, signal } = this.#context;
    const problems = [...(await this.#cleanUp(jobs))];
    const progress = terminal.startProgress('Migrating', jobs.length);
    const items = jobs.map(({ file: { path }, relocation }) => {
      return { path, relocation, out: this.#findOut(path) };
    });
    const outcomes = await runTask(migrateTask, this.#setUp(), items, {
      jobs: this.#args.jobs,
      signal,
      getSize: ({ path }) => getFileSize(path),
      onDone: () => progress.advance(),
    });
    progress.stop();
    const results: MigrationResult[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const { path } = outcome.item;
      const explicit = jobs[index]?.file.explicit;
      if (!outcome.ok) problems.push(toProblem(outcome.error));
      else if ('path' in outcome.value) results.push(outcome.value);
      else if (explicit || outcome.value.kind === 'empty') {
        problems.push({ path, problem: outcome.value.problem });
      }
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
    const { out } = this.#args;
    return out === undefined
      ? undefined
      : mirrorPath(path, this.#roots, resolve(this.#context.cwd, out));
  }

  #cleanUp(jobs: readonly MigrationJob[]): Promise<readonly FileProblem[]> {
    const paths = jobs.map(({ file }) => this.#findOut(file.path) ?? file.path);
    return cleanUpBeside(this.applies ? paths : [], this.#args.jobs, this.#context);
  }
}
