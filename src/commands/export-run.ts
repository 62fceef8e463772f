import { join } from 'node:path';
import { type Outcome, runBatch } from '../batch/run-batch.ts';
import { runTask } from '../batch/run-task.ts';
import { releaseAfter } from '../session/jsonl/release-after.ts';
import type { FoundFile } from '../store/discover.ts';
import { type ExportFolder, readFileState } from '../store/export-folder.ts';
import { getFileSize } from '../store/stat-file.ts';
import { collectProblem } from './collect-problem.ts';
import type { Context } from './command.ts';
import type { ExportArgs } from './export-options.ts';
import type { DocumentRequest } from './export-plan.ts';
import type { ExportResult } from './export-result.ts';
import { describeRedactions } from './export-session.ts';
import { type FileProblem, toProblem } from './select-sessions.ts';
import { type Exported, task as exportTask } from './tasks/export-task.ts';

export interface FolderResults {
  readonly results: ExportResult[];
  readonly problems: FileProblem[];
}

type Found = Omit<ExportResult, 'path' | 'outputs'> & { readonly names: readonly string[] };

const NOTHING = { bytesBefore: 0, bytesAfter: 0, redactions: [], names: [] };

/** Exports sessions into one folder: those that its index does not know in the state they are in. */
export class FolderRun {
  readonly #folder: ExportFolder;
  /** Of all records of exports like this one. */
  readonly #prefix: string;
  readonly #request: DocumentRequest;
  readonly #args: ExportArgs;
  readonly #context: Context;
  /** By path: what each file was like before it was read. */
  readonly #states = new Map<string, string>();
  readonly #results = new Map<string, ExportResult>();
  readonly #problems: FileProblem[] = [];
  #isChanged = false;

  constructor(
    folder: ExportFolder,
    prefix: string,
    request: DocumentRequest,
    args: ExportArgs,
    context: Context,
  ) {
    this.#folder = folder;
    this.#prefix = prefix;
    this.#request = request;
    this.#args = args;
    this.#context = context;
  }

  /** To be called once. Results are in the order of the files. */
  async export(files: readonly FoundFile[]): Promise<FolderResults> {
    const { terminal } = this.#context;
    const progress = terminal.startProgress('Exporting', files.length);
    const advance = (outcome: Outcome<FoundFile, unknown>): void => {
      if (!outcome.ok) this.#problems.push(toProblem(outcome.error));
      progress.advance();
    };
    const save = async (): Promise<void> => {
      progress.stop();
      // Also what an interrupted run has done need not be done again.
      if (!this.#isChanged) return;
      this.#problems.push(...(await collectProblem(() => this.#folder.save())));
    };
    await releaseAfter(async () => {
      const changed = await this.#findChanged(files, advance);
      await this.#exportAll(changed, advance);
    }, save);
    const results = files.flatMap(({ path }) => this.#results.get(path) ?? []);
    return { results, problems: this.#problems };
  }

  /** The files that are not what they were when they were last exported. */
  async #findChanged(
    files: readonly FoundFile[],
    advance: (outcome: Outcome<FoundFile, unknown>) => void,
  ): Promise<readonly FoundFile[]> {
    const { jobs } = this.#args;
    const { signal } = this.#context;
    const find = async ({ path }: FoundFile): Promise<boolean> => {
      const state = await readFileState(path);
      this.#states.set(path, state);
      const current = await this.#folder.findCurrent(this.#prefix + path, state);
      if (!current) return true;
      const names = current.outputs;
      this.#add(path, { ...NOTHING, action: 'unchanged', reasons: ['not changed'], names });
      return false;
    };
    const outcomes = await runBatch(files, find, { jobs, signal });
    return outcomes.flatMap((outcome) => {
      if (outcome.ok && outcome.value) return [outcome.item];
      advance(outcome);
      return [];
    });
  }

  async #exportAll(
    files: readonly FoundFile[],
    advance: (outcome: Outcome<FoundFile, unknown>) => void,
  ): Promise<void> {
    const { jobs, 'dry-run': dryRun } = this.#args;
    const { signal, now } = this.#context;
    const out = this.#folder.output.directory;
    const setup = { out, request: this.#request, dryRun, now: now() };
    await runTask(exportTask, setup, files, {
      jobs,
      signal,
      getSize: ({ path }) => getFileSize(path),
      onDone: (outcome) => {
        if (outcome.ok && outcome.value) this.#note(outcome.item.path, outcome.value);
        advance(outcome);
      },
    });
  }

  #note(path: string, exported: Exported): void {
    const { bytesBefore } = exported;
    if (exported.kind === 'unusable') {
      const { reason } = exported;
      return this.#add(path, { ...NOTHING, action: 'fail', reasons: [reason], bytesBefore });
    }
    if (exported.kind === 'nothing') {
      const reasons = ['holds nothing to export'];
      return this.#add(path, { ...NOTHING, action: 'skip', reasons, bytesBefore });
    }
    const { outputs, images, facts, bytesAfter, redactions } = exported;
    const reasons = [...outputs, ...describeRedactions(redactions)];
    const found = { bytesBefore, bytesAfter, redactions, names: outputs };
    this.#add(path, { action: 'export', reasons, ...found });
    if (this.#args['dry-run']) return;
    this.#isChanged = true;
    const state = this.#states.get(path) ?? '';
    this.#folder.set(this.#prefix + path, { state, outputs: [...outputs, ...images], facts });
  }

  #add(path: string, { names, ...found }: Found): void {
    const outputs = names.map((name) => join(this.#folder.output.directory, name));
    this.#results.set(path, { path, ...found, outputs });
  }
}
