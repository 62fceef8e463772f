import { FileError } from '../../errors.ts';
import { getAgentWorld } from '../world.ts';
import { createIdleSignal } from '../../session/jsonl/files/idle-signal.ts';
import {
  chooseImages,
  type ExportFormat,
  IMAGE_MODES,
  type ImageMode,
  isRedacted,
} from '../../export/formats/format.ts';
import { FORMAT_NAMES, type FormatName, loadFormat } from '../../export/formats/formats.ts';
import { toFileStem } from '../../export/file-stem.ts';
import { writeDocuments } from '../../export/write-documents.ts';
import { toScope } from '../../export/open-document.ts';
import { loadRedaction } from '../../export/redact/load-redaction.ts';
import type { Redactor } from '../../export/redact/redactor.ts';
import type { TurnFilter } from '../../export/turns/filter-turns.ts';
import { readVersion } from '../../package.ts';
import type { Problem } from '../../session/model/summary.ts';
import { createSourceReader } from '../../store/sessions/surroundings.ts';
import { checkOptions, toPath } from '../arguments.ts';
import type { Redaction } from '../../export/redact/redaction.ts';

/** The options of `coppice export` of the same names. */
export interface ExportOptions {
  /** The format; `md` unless given. */
  readonly as?: FormatName | undefined;
  /** The entry that the path ends at, by id or label; the current leaf unless given. */
  readonly branch?: string | undefined;
  readonly allBranches?: boolean | undefined;
  readonly fullHistory?: boolean | undefined;
  /** Includes text that the agent itself gives to the model, for agents that mark it. */
  readonly harness?: boolean | undefined;
  /** Both are kept unless false. */
  readonly thinking?: boolean | undefined;
  readonly tools?: boolean | undefined;
  /** The first that the format knows unless given; `extract` needs `saveImage`. */
  readonly images?: ImageMode | undefined;
  /** Keeps an image, and returns the path by which the document names it. */
  readonly saveImage?: TurnFilter['saveImage'];
  /** Takes secrets out; as the format has it unless given. */
  readonly redact?: boolean | undefined;
  /** More texts to take out. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A session in another format. */
export interface SessionExport {
  /** One document, or one for each branch where the format has no room for several. */
  readonly documents: readonly { readonly name: string; readonly text: string }[];
  /** Secrets that were taken out, and where; never what they were. */
  readonly redactions: readonly Redaction[];
  /** Parts of the session that could not be read, and are missing. */
  readonly problems: readonly Problem[];
}

/**
 * Makes a document of a session, like `coppice export`, and holds it in memory. The session is only
 * read. A session that holds nothing for the format gives no document. @throws TypeError for a
 * wrong option; FileError if the session cannot be read, if its agent
 * would not open it, or if it has no such branch.
 */
export async function exportSession(
  path: string,
  options: ExportOptions = {},
): Promise<SessionExport> {
  const file = toPath('path', path);
  checkExport(options);
  const { as = 'md', signal = createIdleSignal() } = options;
  const format = await loadFormat(as);
  const filter = toFilter(as, format, options);
  const redactor = await openRedactor(format, options);
  const source = await createSourceReader(getAgentWorld())(file, { signal, sumsUsage: true });
  const { problem } = source.summary;
  if (problem) throw new FileError(file, 'session-unusable', problem.message);
  const scope = toScope(format, options);
  const request = { name: as, scope, filter, secrets: options.secrets, hasIndex: false };
  const generator = `coppice ${readVersion()}`;
  const tools = { format, redactor, generator, saveImage: options.saveImage, signal };
  const documents: { name: string; text: string }[] = [];
  const { gaps } = await writeDocuments(source, request, tools, {
    toStem: (summary) => toFileStem(summary, source.summary.path, redactor),
    async write({ name, chunks }) {
      documents.push({ name, text: await joinText(chunks) });
    },
  });
  return { documents, redactions: redactor?.redactions ?? [], problems: gaps };
}

function checkExport(options: ExportOptions): void {
  checkOptions(options, {
    as: FORMAT_NAMES,
    branch: 'text',
    allBranches: 'flag',
    fullHistory: 'flag',
    harness: 'flag',
    thinking: 'flag',
    tools: 'flag',
    images: IMAGE_MODES,
    saveImage: 'function',
    redact: 'flag',
    secrets: 'texts',
    signal: 'signal',
  });
  if (options.allBranches && options.branch !== undefined) {
    throw new TypeError('allBranches: expected false with branch; got true');
  }
}

function toFilter(
  as: FormatName,
  format: ExportFormat,
  { thinking = true, tools = true, images, saveImage }: ExportOptions,
): Omit<TurnFilter, 'saveImage'> {
  if (!format.isSelective && !(thinking && tools)) {
    const name = thinking ? 'tools' : 'thinking';
    throw new TypeError(
      `${name}: expected true for ${as}, which is the session as it is; got false`,
    );
  }
  const chosen = chooseImages(format, images, saveImage !== undefined);
  if ('mode' in chosen) return { thinking, tools, images: chosen.mode };
  const isUnsaved = images !== undefined && format.images.includes(images);
  const remedy = isUnsaved ? 'saveImage with extract' : chosen.possible.join(' or ');
  throw new TypeError(`images: expected ${remedy}; got ${images}`);
}

async function openRedactor(
  format: ExportFormat,
  { redact, secrets }: ExportOptions,
): Promise<Redactor | undefined> {
  if (redact === false && secrets !== undefined) {
    throw new TypeError('redact: expected true with secrets; got false');
  }
  const isOn = isRedacted(format.redacts, redact, secrets !== undefined);
  return (await loadRedaction(isOn ? (secrets ?? []) : undefined))();
}

async function joinText(chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  for await (const chunk of chunks) {
    texts.push(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
  }
  return texts.join('');
}
