import type { Outcome } from '../../batch/run-batch.ts';
import { type ExitCode, FileError, OutputError, UsageError } from '../../errors.ts';
import { dialects } from '../../session/agents/index.ts';
import { Backup, type Copied } from '../../store/archive/back-up.ts';
import {
  type Copyable,
  findCopied,
  readCopyable,
  readCopyableUnit,
} from '../../store/archive/read-copyable.ts';
import { BACKUP_WORDS } from '../../report/export/footer.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import { toSessionKey } from '../../store/archive/member/manifest.ts';
import type { SidecarDialect } from '../../session/dialect/surroundings/sidecars.ts';
import type { PrunableUnit } from '../../store/sessions/units.ts';
import { findStore } from '../../store/prune/candidates.ts';
import type { Shared } from '../../store/sessions/read-prunable.ts';
import { createCompleter } from '../../store/sessions/surroundings.ts';
import { readSessionFiles, type SessionFiles } from '../../store/sessions/session-files.ts';
import { Survey } from '../../store/sessions/survey.ts';
import type { Context } from '../command.ts';
import type { ExportResult } from '../shared/output/documents.ts';
import { reportProblems } from '../shared/output/output.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import { encodeArchive, withSpool } from '../../store/archive/stream.ts';
import { runSessions } from '../shared/run-sessions.ts';
import { findProblems, isGoneSince, toProblem } from '../../store/select/found-file.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { findRoots } from '../shared/select/files.ts';
import { type ChosenFiles, findFilesToCopy } from './folder/find-files-to-copy.ts';
import { findUnits } from './find-units.ts';
import type { ArchivePlan } from './plan.ts';
import { reportExport } from './report.ts';
import type { ExportRequest } from './request.ts';

/** So often a session may change while it is read, before it is left to the next run. */
const MAX_TRIES = 3;
const CHANGING = 'changed again and again while it was read: left to the next run';

/** Runs `coppice export --as archive`: copies sessions into an archive, and changes none of them. */
export async function exportArchive(
  { out }: ArchivePlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  if (out === undefined) return streamArchive(request, context);
  const { results, problems } = await copyInto(out, request, context);
  return reportExport(results, problems, request, context, { words: BACKUP_WORDS });
}

interface CopyResults {
  readonly results: readonly ExportResult[];
  readonly problems: readonly FileProblem[];
}

async function copyInto(
  out: string,
  request: ExportRequest,
  context: Context,
): Promise<CopyResults> {
  const { select, dryRun } = request;
  const chosen = await findFilesToCopy(select, out, context);
  const stores = await findRoots(select, context);
  const backup = await Backup.open(out, context.now, { isPreview: dryRun });
  const run = new ArchiveRun(backup, chosen, stores, request, context);
  const found = await run.find();
  const how = { label: 'Copying', jobs: select.jobs, context };
  const outcomes = await runSessions(found.items, (item) => run.copy(item), how);
  const problems = [
    ...chosen.problems,
    ...found.problems,
    ...backup.problems.map(toProblem),
    ...toProblems(outcomes),
  ];
  const results = outcomes.flatMap((outcome) => (outcome.ok ? (outcome.value ?? []) : []));
  return { results, problems };
}

/** One tar on standard output: the files of an archive, which is gone afterwards. */
async function streamArchive(request: ExportRequest, context: Context): Promise<ExitCode> {
  const { out } = context.terminal;
  if (out.isTerminal) throw new UsageError('--out -: writes a tar; send it to a file or a program');
  if (request.report.format !== 'table') {
    throw new UsageError(`--format ${request.report.format}: cannot be combined with --out -`);
  }
  return withSpool(async (directory) => {
    const { results, problems } = await copyInto(directory, request, context);
    for await (const chunk of encodeArchive(directory)) {
      context.signal.throwIfAborted();
      await out.write(chunk);
      if (out.isAbandoned) throw new OutputError('its reader has gone away', false);
    }
    const skipped = results.flatMap(({ path, action, reasons }) =>
      action === 'skip' ? [{ path, reasons }] : [],
    );
    for (const { path, reasons } of request.select.quiet ? [] : skipped) {
      const why = toPlainLine(reasons.join(', '));
      await context.terminal.err.write(
        `coppice: ${formatPath(path, context.home)}: skipped: ${why}\n`,
      );
    }
    return reportProblems(problems, context);
  });
}

/** A file that may be a session, or a session of several files. */
type Item = { readonly file: FoundFile; readonly unit?: PrunableUnit };

function toProblems(outcomes: readonly Outcome<Item, unknown>[]): readonly FileProblem[] {
  return outcomes.flatMap((outcome) => {
    if (outcome.ok || isGoneSince(outcome.item.file, outcome.error)) return [];
    return findProblems(outcome.item.file, outcome.error);
  });
}

class ArchiveRun {
  readonly #backup: Backup;
  readonly #chosen: ChosenFiles;
  readonly #roots: readonly string[];
  readonly #request: ExportRequest;
  readonly #context: Context;
  readonly #shared: Shared = { survey: new Survey(), complete: createCompleter() };

  constructor(
    backup: Backup,
    chosen: ChosenFiles,
    roots: readonly string[],
    request: ExportRequest,
    context: Context,
  ) {
    this.#backup = backup;
    this.#chosen = chosen;
    this.#roots = roots;
    this.#request = request;
    this.#context = context;
  }

  /** Finds the sessions to copy. */
  async find(): Promise<{ items: readonly Item[]; problems: readonly FileProblem[] }> {
    const { select } = this.#request;
    const isAlone = (path: string): boolean => this.#findSidecars(path) !== undefined;
    const how = { select, stores: this.#roots };
    const found = await findUnits(this.#chosen, isAlone, this.#shared, how, this.#context);
    const units = found.units.map((unit): Item => ({ file: unit.whole.file, unit }));
    const items = [...found.files.map((file): Item => ({ file })), ...units];
    const order = new Map(this.#chosen.all.map(({ path }, index) => [path, index]));
    const getPlace = ({ file }: Item): number => order.get(file.path) ?? order.size;
    return {
      items: items.toSorted((a, b) => getPlace(a) - getPlace(b)),
      problems: found.problems,
    };
  }

  /** Undefined for a file that is copied with the session that it belongs to. */
  async copy({ file, unit }: Item): Promise<ExportResult | undefined> {
    if (unit) return this.#copyUnit(unit);
    if (this.#chosen.owned.has(file.path)) return undefined;
    const known = await this.#findUnchanged(file);
    if (known) return known;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#read(file, tries > 1);
      } catch (error) {
        if (!(error instanceof FileError) || error.code !== 'ECHANGED') throw error;
        if (tries === MAX_TRIES) return toResult(file.path, 'skip', [CHANGING]);
      }
    }
  }

  async #copyUnit(unit: PrunableUnit): Promise<ExportResult> {
    const { file, summary, files } = unit.whole;
    const key = summary && toSessionKey({ ...summary, path: file.path });
    const state = files && this.#backup.findUnchanged(files, key);
    if (files && state) return toCopied(files, state, []);
    try {
      return await this.#add(file.path, await readCopyableUnit(unit, this.#findStore(file)));
    } catch (error) {
      if (!(error instanceof FileError) || error.code !== 'ECHANGED') throw error;
      return toResult(file.path, 'skip', [CHANGING]);
    }
  }

  #findStore({ path }: FoundFile): string {
    return findStore(path, this.#roots);
  }

  /** Of a session of one file that the archive knows. */
  #findSidecars(path: string): SidecarDialect | undefined {
    const agent = this.#backup.findAgent(path);
    const dialect = dialects.find((one) => one.agent === agent);
    return dialect?.rows ? undefined : findCopied(dialect?.sidecars);
  }

  /** By the stamps of its files alone. */
  async #findUnchanged({ path, linked }: FoundFile): Promise<ExportResult | undefined> {
    const sidecars = this.#findSidecars(path);
    if (!sidecars || linked) return undefined;
    const files = await readSessionFiles(path, sidecars, this.#shared.survey);
    const state = this.#backup.findUnchanged(files);
    return state && toCopied(files, state, []);
  }

  async #read(file: FoundFile, isAgain: boolean): Promise<ExportResult> {
    const shared = isAgain ? { ...this.#shared, survey: new Survey() } : this.#shared;
    const store = this.#findStore(file);
    const read = await readCopyable(file, store, shared, this.#context.signal);
    if (!read) throw toNoSessionError(file.path, 'foreign');
    return this.#add(file.path, read);
  }

  async #add(path: string, read: Copyable): Promise<ExportResult> {
    if ('obstacle' in read) return toResult(path, 'skip', [read.obstacle]);
    if (this.#request.dryRun) return toPreview(read);
    const { files, facts, leftOut, lacksRows } = read;
    return toCopied(files, await this.#backup.add(files, facts, { lacksRows }), leftOut);
  }
}

function toPreview({ files, leftOut }: Exclude<Copyable, { obstacle: string }>): ExportResult {
  const reasons = ['not in the archive, or not as it is now', ...leftOut];
  return { ...toResult(files.path, 'backup', reasons), bytesBefore: sumSizes(files) };
}

function toCopied(
  files: SessionFiles,
  { archived, bytes, isNew, superseded }: Copied,
  leftOut: readonly string[],
): ExportResult {
  const what = isNew ? describeNew(superseded) : 'not changed';
  const result = toResult(files.path, isNew ? 'backup' : 'unchanged', [what, ...leftOut]);
  const sizes = { bytesBefore: sumSizes(files), bytesAfter: isNew ? bytes : 0 };
  return { ...result, ...sizes, outputs: [archived] };
}

function describeNew(superseded: number): string {
  if (superseded === 0) return 'copied';
  return superseded === 1
    ? 'copied; took the place of a state that it begins with'
    : `copied; took the place of ${superseded} states that it begins with`;
}

function sumSizes({ files }: SessionFiles): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function toResult(
  path: string,
  action: 'backup' | 'unchanged' | 'skip',
  reasons: readonly string[],
): ExportResult {
  const nothing = { bytesBefore: 0, bytesAfter: 0, problems: [], outputs: [], redactions: [] };
  return { path, action, reasons, ...nothing };
}
