import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type { Task } from '../../batch/task.ts';
import { FileError } from '../../errors.ts';
import { toFileStem } from '../../export/file-stem.ts';
import type { ExportFormat } from '../../export/formats/format.ts';
import { loadFormat } from '../../export/formats/formats.ts';
import { type CreateRedactor, loadRedaction } from '../../export/redact/load-redaction.ts';
import type { Redactor } from '../../export/redact/redactor.ts';
import { readUsages } from '../../export/turns/read-usages.ts';
import { sumUsages, type UsageFacts } from '../../export/turns/usage-facts.ts';
import type { FileProblem, Problem, Subagent } from '../../session/model/summary.ts';
import { type FoundFile, toSessionProblem } from '../../store/select/found-file.ts';
import { OutputDirectory, type WrittenFile } from '../../store/output/output-directory.ts';
import { readSourceState } from '../../store/output/source-states.ts';
import { createSourceReader, type ReadSource } from '../../store/sessions/surroundings.ts';
import { type DocumentRequest, writeDocuments } from '../../export/write-documents.ts';
import { readVersion } from '../../package.ts';
import { hash } from 'node:crypto';
import type { Session } from '../../session/model/session.ts';
import type { SessionSource } from '../../session/read/read-session.ts';
import type { Redaction } from '../../export/redact/redaction.ts';

export interface ExportSetup {
  readonly out: string;
  readonly request: DocumentRequest;
  readonly dryRun: boolean;
  /** Milliseconds. */
  readonly now: number;
  readonly env: Variables;
}

/** The files made from a session; names are relative to the directory. */
export interface Written {
  readonly kind: 'written';
  readonly outputs: readonly string[];
  readonly images: readonly string[];
  /** All of them; nothing in a dry run. */
  readonly files: readonly WrittenFile[];
  /** The paths of other sessions' files that are shown, with the states that they had. */
  readonly others: readonly OtherSource[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly redactions: readonly Redaction[];
  readonly gaps: readonly Problem[];
}

export type Exported =
  | Written
  /** The run was stopped, or something failed, when these had been written. */
  | {
      readonly kind: 'halfway';
      readonly files: readonly WrittenFile[];
      readonly problem?: FileProblem;
    }
  /** The format has no words for what is there. */
  | {
      readonly kind: 'nothing';
      readonly bytesBefore: number;
      readonly gaps: readonly Problem[];
    }
  /** The agent itself would not open it. */
  | { readonly kind: 'unusable'; readonly bytesBefore: number; readonly reason: string };

/** The facts of a session that an export keeps in memory, without the cost of each entry. */
interface Read {
  readonly source: SessionSource;
  readonly usages: UsageFacts | undefined;
}

/** A file that is shown beside the session's own, and its state before it was read. */
type OtherSource = readonly [path: string, state: string];

/** A session to export. */
export interface ExportItem extends FoundFile {
  /** All files of a session that has several. */
  readonly files?: readonly string[] | undefined;
  /** Its sub-agents, of an agent for which they are sessions, too. */
  readonly subagents?: readonly Subagent[] | undefined;
  /** The places of the usages that count for another session, from which it has copied them. */
  readonly inherited?: readonly number[] | undefined;
}

/** Exports sessions into one directory. */
export const task: Task<ExportSetup, ExportItem, Exported> = {
  name: 'export',
  atOnce: 2,
  start(setup, signal) {
    const exporter = SessionExporter.load(setup, signal);
    return async (item) => (await exporter).run(item);
  },
};

class SessionExporter {
  readonly #setup: ExportSetup;
  readonly #signal: AbortSignal;
  readonly #format: ExportFormat;
  readonly #createRedactor: CreateRedactor;
  readonly #output: OutputDirectory;
  readonly #readSource: ReadSource;

  private constructor(
    setup: ExportSetup,
    signal: AbortSignal,
    format: ExportFormat,
    createRedactor: CreateRedactor,
  ) {
    this.#setup = setup;
    this.#signal = signal;
    this.#format = format;
    this.#createRedactor = createRedactor;
    this.#output = new OutputDirectory(setup.out, setup.now);
    this.#readSource = createSourceReader(setup);
  }

  static async load(setup: ExportSetup, signal: AbortSignal): Promise<SessionExporter> {
    const { name, secrets } = setup.request;
    const [format, createRedactor] = await Promise.all([loadFormat(name), loadRedaction(secrets)]);
    return new SessionExporter(setup, signal, format, createRedactor);
  }

  async run(item: ExportItem): Promise<Exported> {
    const { source, usages } = await this.#read(item);
    const { size: bytesBefore, problem } = source.summary;
    if (problem) return { kind: 'unusable', bytesBefore, reason: problem.message };
    const redactor = this.#createRedactor();
    const files: WrittenFile[] = [];
    try {
      const { gaps, isEmpty, ...written } = await this.#write(source, usages, redactor, files);
      if (isEmpty) return { kind: 'nothing', bytesBefore, gaps };
      const redactions = redactor?.redactions ?? [];
      return { kind: 'written', bytesBefore, redactions, files, gaps, ...written };
    } catch (error) {
      if (files.length === 0) throw error;
      // Files that were written are recorded, even if the run fails after that.
      if (this.#signal.aborted) return { kind: 'halfway', files };
      if (!(error instanceof FileError)) throw error;
      return { kind: 'halfway', files, problem: toSessionProblem(error, item.path) };
    }
  }

  async #read(item: ExportItem): Promise<Read> {
    const { showsUsage = false } = this.#format;
    const options = { signal: this.#signal, sumsUsage: !showsUsage };
    const source = await this.#readSource(item.path, options);
    const { entryUsages, ...summary } = source.summary;
    const read = { ...source, summary };
    if (!showsUsage) return { source: read, usages: undefined };
    const usages = isAlone(item, source) ? entryUsages : await readUsages(item, options);
    const { subagents = item.subagents } = summary;
    return { source: read, usages: sumUsages({ ...item, usages, subagents }) };
  }

  /** Adds to `files` what it writes, as soon as it is there. */
  async #write(
    source: SessionSource,
    usages: UsageFacts | undefined,
    redactor: Redactor | undefined,
    files: WrittenFile[],
  ) {
    const { request, dryRun } = this.#setup;
    const images = new ImageFiles(this.#output, dryRun, files);
    const saveImage = images.save.bind(images);
    const outputs: string[] = [];
    const generator = `coppice ${readVersion()}`;
    const format = this.#format;
    const others = new Map<string, string>();
    const onFile = async (path: string): Promise<void> => {
      // One that is read again may have grown since.
      if (!others.has(path)) others.set(path, await readSourceState(path));
    };
    for (const path of listBases(source.session)) await onFile(path);
    const tools = { format, redactor, generator, usages, saveImage, signal: this.#signal, onFile };
    const documents = await writeDocuments(source, request, tools, {
      toStem: (summary) => {
        images.stem = toFileStem(summary, source.summary.path, redactor);
        return images.stem;
      },
      write: async ({ name, chunks }) => {
        if (dryRun) {
          // Only reading shows whether there is anything, which images it has, and what secrets.
          await readToEnd(chunks);
        } else {
          files.push(await this.#output.write(name, chunks));
        }
        outputs.push(name);
      },
    });
    const bytesAfter = files.reduce((sum, { size }) => sum + size, 0);
    return { ...documents, outputs, images: [...images.names], bytesAfter, others: [...others] };
  }
}

/** Returns whether the usages of a session's file are those of a listing, in the same order. */
function isAlone({ files = [], inherited = [] }: ExportItem, { session }: SessionSource): boolean {
  return files.length < 2 && inherited.length === 0 && session.base === undefined;
}

/** The files that a session continues from. Their lines are read again, and must be as they were indexed. */
function listBases({ base, entries }: Session): Iterable<string> {
  return base ? new Set(entries.flatMap(({ file }) => file ?? [])) : [];
}

async function readToEnd(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of chunks);
}

/** Writes the images of one session, each once, and collects their names. */
export class ImageFiles {
  readonly names = new Set<string>();
  /** The name of the session's export, without its extension; to be set before images come. */
  stem = '';
  readonly #output: OutputDirectory;
  readonly #isDryRun: boolean;
  readonly #written: WrittenFile[];

  /** Adds to `written` what it writes. */
  constructor(output: OutputDirectory, isDryRun: boolean, written: WrittenFile[]) {
    this.#output = output;
    this.#isDryRun = isDryRun;
    this.#written = written;
  }

  /** Returns its name, relative to the directory. */
  async save(bytes: Buffer, extension: string): Promise<string> {
    const digest = hash('sha256', bytes).slice(0, 16);
    const name = `${this.stem}.images/${digest}.${extension}`;
    if (!this.names.has(name) && !this.#isDryRun) {
      this.#written.push(await this.#output.write(name, [bytes]));
    }
    this.names.add(name);
    return name;
  }
}
