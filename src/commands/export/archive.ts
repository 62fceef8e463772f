import type { Outcome } from '../../batch/run-batch.ts';
import { type ExitCode, FileError } from '../../errors.ts';
import { dialects } from '../../session/agents/index.ts';
import { Backup, type Copied } from '../../store/archive/back-up.ts';
import { type Copyable, findCopied, readCopyable } from '../../store/archive/read-copyable.ts';
import { BACKUP_WORDS } from '../../report/export/footer.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import { findStore } from '../../store/prune/candidates.ts';
import type { Shared } from '../../store/read/read-prunable.ts';
import { createCompleter } from '../../store/read/surroundings.ts';
import { readSessionFiles, type SessionFiles } from '../../store/remove/session-files.ts';
import { Survey } from '../../store/remove/survey.ts';
import type { Context } from '../command.ts';
import type { ExportResult } from '../shared/documents.ts';
import { runSessions } from '../shared/run-sessions.ts';
import { findRoots, toProblem } from '../shared/select.ts';
import { type ChosenFiles, findFilesToCopy } from './find-files-to-copy.ts';
import type { ArchivePlan } from './plan.ts';
import { reportExport } from './report.ts';
import type { ExportRequest } from './request.ts';

/** So often a session may change while it is read, before it is left to the next run. */
const MAX_TRIES = 3;
const CHANGING = 'changed again and again while it was read: left to the next run';

/** `coppice export --as archive`: copies sessions into an archive, and leaves them where they are. */
export async function exportArchive(
  { out }: ArchivePlan,
  request: ExportRequest,
  context: Context,
): Promise<ExitCode> {
  const { select, dryRun } = request;
  const chosen = await findFilesToCopy(select, out, context);
  const backup = await Backup.open(out, context.now, { isPreview: dryRun });
  const run = new ArchiveRun(backup, chosen, await findRoots(select, context), request, context);
  const outcomes = await runSessions(chosen.files, (file) => run.copy(file), {
    label: 'Copying',
    jobs: select.jobs,
    context,
  });
  const problems = [...chosen.problems, ...backup.problems.map(toProblem), ...toProblems(outcomes)];
  const results = outcomes.flatMap((outcome) => (outcome.ok ? (outcome.value ?? []) : []));
  return reportExport(results, problems, request, context, { words: BACKUP_WORDS });
}

function toProblems(outcomes: readonly Outcome<FoundFile, unknown>[]) {
  const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome]));
  // A session that was removed since it was found is not missed, unless it was asked for by name.
  const missed = failed.filter(({ item, error }) => item.explicit || error.code !== 'ENOENT');
  return missed.map(({ error }) => toProblem(error));
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

  /** Undefined for a file that is not a session, or is copied with the one that it belongs to. */
  async copy(file: FoundFile): Promise<ExportResult | undefined> {
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

  /** By the stamps of its files alone. */
  async #findUnchanged({ path, linked }: FoundFile): Promise<ExportResult | undefined> {
    const agent = this.#backup.findAgent(path);
    const sidecars = findCopied(dialects.find((one) => one.agent === agent)?.sidecars);
    if (!sidecars || linked) return undefined;
    const files = await readSessionFiles(path, sidecars, this.#shared.survey);
    const state = this.#backup.findUnchanged(files);
    return state && toCopied(files, state, []);
  }

  async #read(file: FoundFile, isAgain: boolean): Promise<ExportResult | undefined> {
    const shared = isAgain ? { ...this.#shared, survey: new Survey() } : this.#shared;
    const store = findStore(file.path, this.#roots);
    const read = await readCopyable(file, store, shared, this.#context.signal);
    if (!read) {
      if (!file.explicit) return undefined;
      throw new FileError(file.path, 'not-a-session', 'is not a session file of a known agent');
    }
    if ('obstacle' in read) return toResult(file.path, 'skip', [read.obstacle]);
    if (this.#request.dryRun) return toPreview(read);
    const { files, facts, leftOut } = read;
    return toCopied(files, await this.#backup.add(files, facts), leftOut);
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
