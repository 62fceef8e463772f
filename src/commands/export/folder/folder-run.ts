import { join } from 'node:path';
import { type Outcome, runBatch } from '../../../batch/run-batch.ts';
import { runTask } from '../../../batch/run-task.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import type { FoundFile } from '../../../store/select/found-file.ts';
import type { ExportFolder } from '../../../store/output/export-folder.ts';
import { SourceStates, toOtherState } from '../../../store/output/source-states.ts';
import { getFileSize } from '../../../store/files/stat-file.ts';
import { collectProblem } from '../../shared/clean-up.ts';
import type { Context } from '../../command.ts';
import type { ExportRequest } from '../request.ts';
import { requireHarness } from '../require-harness.ts';
import { NameTwins } from './name-twins.ts';
import { getSource, toSource, toSourceKey } from './source-key.ts';
import { writeOverview } from './overview.ts';
import type { DocumentPlan } from '../plan.ts';
import type { ExportResult } from '../../shared/output/documents.ts';
import { describeRedactions } from '../../../export/write-documents.ts';
import { splitFound, withProgress } from '../../shared/run-sessions.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import type { ListedFiles } from '../../shared/select/sessions.ts';
import { type Exported, task as exportTask } from '../task.ts';
import { type FolderItem, toFolderItems } from './items.ts';
import { toShortHash } from '../../../export/short-hash.ts';

export interface FolderResults {
  readonly results: ExportResult[];
  readonly problems: FileProblem[];
}

type Found = Omit<ExportResult, 'path' | 'outputs'> & { readonly names: readonly string[] };

const NOTHING = { bytesBefore: 0, bytesAfter: 0, redactions: [], problems: [], names: [] };

const NAMED_ALIKE = {
  code: 'name-taken',
  message:
    'not exported: the export of another session already has this name; use another directory',
};

/** Exports sessions into one folder: all whose export is not recorded there as up to date. */
export class FolderRun {
  readonly #folder: ExportFolder;
  readonly #plan: DocumentPlan;
  readonly #request: ExportRequest;
  readonly #context: Context;
  /** A hash for each path: of the state of the file before it was read, and of the plan. */
  readonly #made = new Map<string, string>();
  readonly #results = new Map<string, ExportResult>();
  readonly #problems: FileProblem[] = [];

  constructor(folder: ExportFolder, plan: DocumentPlan, request: ExportRequest, context: Context) {
    this.#folder = folder;
    this.#plan = plan;
    this.#request = request;
    this.#context = context;
  }

  /** Exports the files, with results in their order; call this once. */
  async export(listed: ListedFiles): Promise<FolderResults> {
    const items = this.#refuse(toFolderItems(listed), listed);
    const save = async (): Promise<void> => {
      if (this.#request.dryRun) return;
      this.#folder.recordMoves(createPresenceTest(listed.all));
      // The work of an interrupted run need not be done again, either.
      this.#problems.push(...(await collectProblem(() => this.#folder.save())));
    };
    await withProgress('Exporting', items.length, this.#context, async (onDone) => {
      const advance = (outcome: Outcome<FoundFile, unknown>): void => {
        this.#problems.push(...splitFound([outcome]).problems);
        onDone();
      };
      await releaseAfter(async () => {
        const changed = await this.#findChanged(this.#skipTwins(items), advance);
        await this.#exportAll(changed, advance);
      }, save);
      // The index comes after the record: one that another part writes later names these pages, too.
      this.#problems.push(...(await collectProblem(() => this.#writeIndex())));
    });
    const results = items.flatMap(({ path }) => this.#results.get(path) ?? []);
    return { results, problems: this.#problems };
  }

  /** Leaves out sessions that were named, and whose agent does not have what was asked for. */
  #refuse(
    items: readonly FolderItem[],
    { sessions }: Pick<ListedFiles, 'sessions'>,
  ): readonly FolderItem[] {
    const agents = new Map(sessions.map(({ path, agent }) => [path, agent]));
    const { agent: only } = this.#request.select.selection;
    const findObstacle = requireHarness(only ? [only] : [...agents.values()], this.#request);
    return items.filter(({ path, explicit }) => {
      const agent = agents.get(path);
      const reason = explicit && agent ? findObstacle(agent) : undefined;
      if (reason === undefined) return true;
      this.#problems.push({ path, problem: { code: 'not-supported', message: reason } });
      return false;
    });
  }

  /** Leaves out sessions that would overwrite the export of another one. */
  #skipTwins(items: readonly FolderItem[]): readonly FolderItem[] {
    const twins = new NameTwins();
    twins.addFolder(this.#folder);
    return items.filter(({ path }) => {
      if (!twins.isTaken(path, toSourceKey(this.#plan.request.name, path))) return true;
      this.#problems.push({ path, problem: NAMED_ALIKE });
      return false;
    });
  }

  /** The files that are not what they were when they were last exported. */
  async #findChanged(
    items: readonly FolderItem[],
    advance: (outcome: Outcome<FoundFile, unknown>) => void,
  ): Promise<readonly FolderItem[]> {
    const { jobs } = this.#request.select;
    const { signal } = this.#context;
    const states = new SourceStates();
    const find = async ({ path, shown }: FolderItem): Promise<boolean> => {
      const { signature, request } = this.#plan;
      const made = toShortHash(
        JSON.stringify([signature, request.hasIndex, await states.read(path), shown]),
      );
      this.#made.set(path, made);
      const current = await this.#folder.findCurrent(toSourceKey(request.name, path), made);
      if (!current || !(await states.areAsBefore(path, current.others ?? []))) return true;
      const names = current.files.map(({ name }) => name);
      const found = { ...NOTHING, problems: current.problems, names };
      this.#add(path, { ...found, action: 'unchanged', reasons: ['not changed'] });
      return false;
    };
    const outcomes = await runBatch(items, find, { jobs, signal });
    return outcomes.flatMap((outcome) => {
      if (outcome.ok && outcome.value) return [outcome.item];
      advance(outcome);
      return [];
    });
  }

  async #exportAll(
    items: readonly FolderItem[],
    advance: (outcome: Outcome<FoundFile, unknown>) => void,
  ): Promise<void> {
    const { select, dryRun } = this.#request;
    const { jobs } = select;
    const { signal, env, now } = this.#context;
    const out = this.#folder.output.directory;
    const setup = { out, request: this.#plan.request, dryRun, now: now(), env };
    await runTask(exportTask, setup, items, {
      jobs,
      signal,
      env,
      getSize: ({ path }) => getFileSize(path),
      onDone: (outcome) => {
        if (outcome.ok) this.#record(outcome.item, outcome.value);
        advance(outcome);
      },
    });
  }

  #record({ path, session }: FolderItem, exported: Exported): void {
    const { name } = this.#plan.request;
    if (exported.kind === 'halfway') {
      if (exported.problem) this.#problems.push(exported.problem);
      return this.#folder.setHalfway(toSourceKey(name, path), exported.files);
    }
    const { bytesBefore } = exported;
    if (exported.kind === 'unusable') {
      const { reason } = exported;
      return this.#add(path, { ...NOTHING, action: 'fail', reasons: [reason], bytesBefore });
    }
    if (exported.kind === 'nothing') {
      const { gaps } = exported;
      this.#removeUnredacted(path);
      const reasons = ['holds nothing to export'];
      return this.#add(path, { ...NOTHING, action: 'skip', reasons, bytesBefore, problems: gaps });
    }
    const { outputs, images, files, bytesAfter, redactions, gaps: problems } = exported;
    const others = exported.others.map(([other, state]) => toOtherState(other, state));
    const names = [...outputs, ...images];
    const reasons = [...outputs, ...describeRedactions(redactions)];
    const found = { bytesBefore, bytesAfter, redactions, problems, names };
    this.#add(path, { action: 'export', reasons, ...found });
    if (this.#request.dryRun) return;
    const made = this.#made.get(path) ?? '';
    const { redaction } = this.#plan;
    this.#folder.adopt(toSourceKey(name, path));
    const record = { made, redaction, session, files, others, problems };
    this.#folder.set(toSourceKey(name, path), record);
  }

  /** An earlier export from which secrets were not taken out, or others, would be handed on with the rest. */
  #removeUnredacted(path: string): void {
    const { redaction, request } = this.#plan;
    if (redaction === '' || this.#request.dryRun) return;
    const key = toSourceKey(request.name, path);
    const isOther = this.#folder.list(key).some(([, record]) => record.redaction !== redaction);
    if (!isOther) return;
    this.#folder.adopt(key);
    this.#folder.remove(key);
  }

  async #writeIndex(): Promise<void> {
    const { request, redaction } = this.#plan;
    if (!request.hasIndex || this.#request.dryRun) return;
    await writeOverview(this.#folder, redaction);
  }

  #add(path: string, { names, ...found }: Found): void {
    const outputs = names.map((name) => join(this.#folder.output.directory, name));
    this.#results.set(path, { path, ...found, outputs });
  }
}

/** Makes a test for the file of a record: whether it was found, or undefined where only named files were looked for. */
function createPresenceTest(all: readonly FoundFile[]): (key: string) => boolean | undefined {
  const isNamed = all.every(({ explicit }) => explicit);
  const sources = new Set(all.map(({ path }) => toSource(path)));
  return (key) => sources.has(getSource(key)) || (isNamed ? undefined : false);
}
