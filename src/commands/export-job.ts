import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FileError } from '../errors.ts';
import { toFileStem } from '../export/file-stem.ts';
import { NothingToExport } from '../export/format.ts';
import { toOverviewFacts } from '../export/html/overview-facts.ts';
import type { Redactor } from '../export/redact/redactor.ts';
import type { ActionResult } from '../session/action.ts';
import type { JsonObject } from '../session/json.ts';
import type { SessionSource } from '../session/read-source.ts';
import type { FoundFile } from '../store/discover.ts';
import { type ExportFolder, readFileState, toKey } from '../store/export-folder.ts';
import { createSourceReader } from '../store/surroundings.ts';
import type { Context } from './command.ts';
import type { ExportArgs } from './export-options.ts';
import type { DocumentPlan } from './export-plan.ts';
import type { ExportResult } from './export-result.ts';
import { describeRedactions, openDocuments } from './export-session.ts';

export type FolderPlan = DocumentPlan & { readonly out: string };

interface Written {
  readonly outputs: readonly string[];
  readonly images: readonly string[];
  readonly bytes: number;
  readonly facts: JsonObject;
}

/** Exports one session after another into one folder. */
export class ExportJob {
  readonly #folder: ExportFolder;
  readonly #plan: FolderPlan;
  readonly #args: ExportArgs;
  readonly #context: Context;
  readonly #readSource = createSourceReader();
  isChanged = false;

  constructor(folder: ExportFolder, plan: FolderPlan, args: ExportArgs, context: Context) {
    this.#folder = folder;
    this.#plan = plan;
    this.#args = args;
    this.#context = context;
  }

  /** Undefined for a file that is no session and that nobody asked for by name. */
  async run(file: FoundFile): Promise<ExportResult | undefined> {
    const { path } = file;
    const key = getRecordPrefix(this.#plan) + path;
    const state = await readFileState(path);
    const current = await this.#folder.findCurrent(key, state);
    if (current) return this.#toResult(path, 'unchanged', ['not changed'], current.outputs);
    const source = await this.#read(file);
    if (!source) return undefined;
    const { size: bytesBefore, problem } = source.summary;
    if (problem) return this.#toResult(path, 'fail', [problem.message], [], { bytesBefore });
    const redactor = this.#plan.createRedactor?.();
    const written = await this.#write(source, path, redactor);
    if (!written) {
      return this.#toResult(path, 'skip', ['holds nothing to export'], [], { bytesBefore });
    }
    const { outputs, images, facts, bytes: bytesAfter } = written;
    if (!this.#args['dry-run']) {
      this.isChanged = true;
      this.#folder.set(key, { state, outputs: [...outputs, ...images], facts });
    }
    const redactions = redactor?.redactions ?? [];
    const reasons = [...outputs, ...describeRedactions(redactions)];
    return this.#toResult(path, 'export', reasons, outputs, {
      bytesBefore,
      bytesAfter,
      redactions,
    });
  }

  async #read({ path, explicit }: FoundFile): Promise<SessionSource | undefined> {
    try {
      return await this.#readSource(path, { signal: this.#context.signal });
    } catch (error) {
      const isForeign = error instanceof FileError && error.code === 'not-a-session';
      if (isForeign && !explicit) return undefined;
      throw error;
    }
  }

  /** Undefined when the format has no words for what is there. */
  async #write(
    source: SessionSource,
    path: string,
    redactor: Redactor | undefined,
  ): Promise<Written | undefined> {
    const stem = toFileStem(source.summary, path);
    const images = new ImageFiles(this.#folder, stem, this.#args['dry-run']);
    const tools = { redactor, saveImage: images.save.bind(images) };
    const outputs: string[] = [];
    let bytes = 0;
    let facts: JsonObject = {};
    try {
      const documents = openDocuments(source, this.#plan, this.#args, this.#context, tools);
      for await (const { document, suffix } of documents) {
        facts = toOverviewFacts(document.summary);
        for (const { name, chunks } of this.#plan.format.createParts(document, stem + suffix)) {
          outputs.push(name);
          if (!this.#args['dry-run']) bytes += await this.#folder.write(name, chunks);
        }
      }
    } catch (error) {
      if (error instanceof NothingToExport) return undefined;
      throw error;
    }
    return { outputs, images: [...images.names], bytes, facts };
  }

  #toResult(
    path: string,
    action: ActionResult['action'],
    reasons: readonly string[],
    names: readonly string[],
    found: Partial<Pick<ExportResult, 'bytesBefore' | 'bytesAfter' | 'redactions'>> = {},
  ): ExportResult {
    const outputs = names.map((name) => join(this.#folder.directory, name));
    const nothing = { bytesBefore: 0, bytesAfter: 0, redactions: [] };
    return { path, action, reasons, outputs, ...nothing, ...found };
  }
}

/** The images of one session, each once. */
class ImageFiles {
  readonly names = new Set<string>();
  readonly #folder: ExportFolder;
  readonly #stem: string;
  readonly #isDryRun: boolean;

  constructor(folder: ExportFolder, stem: string, isDryRun: boolean) {
    this.#folder = folder;
    this.#stem = stem;
    this.#isDryRun = isDryRun;
  }

  async save(bytes: Buffer, extension: string): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const name = `${this.#stem}.images/${hash}.${extension}`;
    if (!this.names.has(name) && !this.#isDryRun) await this.#folder.write(name, once(bytes));
    this.names.add(name);
    return name;
  }
}

/** Records of one kind of export, and of no other, begin like this. */
export function getRecordPrefix({ name, signature }: FolderPlan): string {
  return `${name}:${toKey(signature)}:`;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
