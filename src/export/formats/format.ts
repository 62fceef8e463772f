import { FileError, isTooLong, TooLongError } from '../../errors.ts';
import type { SentMessage } from '../../session/model/text/sent-message.ts';
import type { SummaryTurn, Turn } from '../../session/model/text/conversation.ts';
import type { Entry } from '../../session/model/entry.ts';
import type { Session } from '../../session/model/session.ts';
import type { Problem, SessionSummary } from '../../session/model/summary.ts';
import type { Tree } from '../../session/model/tree/tree.ts';
import type { Usage } from '../../session/model/usage.ts';
import type { UsageFacts } from '../turns/usage-facts.ts';

export const IMAGE_MODES = ['inline', 'extract', 'drop'] as const;
export type ImageMode = (typeof IMAGE_MODES)[number];

/** A session as an exporter is given it: facts at once, turns and lines one at a time. */
export interface ExportDocument {
  readonly session: Session;
  /** The facts of the session, without secrets where they are to be taken out. */
  readonly summary: SessionSummary;
  readonly tree: Tree;
  /** The entries that `turns` will yield, in order, without those that a context edit takes out. */
  readonly entries: readonly Entry[];
  /** The end of the path. */
  readonly leaf: Entry | undefined;
  /** The whole tree is exported, depth first, and not one path. */
  readonly isTree: boolean;
  /** The usage of the session, where it is that of the document, and none is recorded for each answer. */
  readonly usage: Usage | undefined;
  /** The parts of the session that are missing from the document. */
  readonly gaps: readonly Problem[];
  /** The line of the session file that was read last; 0 before any. */
  line(): number;
  /** Reads the turns, with thoughts, tools and images as they were asked for. */
  turns(): AsyncIterable<Turn>;
  /** The session as the agent would write it. */
  lines(): AsyncIterable<Uint8Array>;
  /**
   * Builds the messages that the model is sent when the agent continues at the end of the path.
   * @throws FileError for a session that the agent does not open.
   */
  sent(): Promise<readonly SentMessage[]>;
  /** A summary as the model is sent it. */
  wrapSummary(kind: SummaryTurn['kind'], text: string): string;
  /** Name and version of the program that exports. */
  readonly generator: string;
  /** The facts for an index of the folder, if the document is one of several there. */
  readonly usages: UsageFacts | undefined;
  /** Whether an index is beside it. */
  readonly hasIndex: boolean;
}

/** The file of a document. */
export interface ExportedFile {
  /** Relative to the output directory, with slashes. */
  readonly name: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
}

/** All there is to know of one kind of export. */
export interface ExportFormat {
  /** The files for several branches: one for all, or one for each; `always` if there is no choice. */
  readonly branches: 'one-file' | 'file-each' | 'always';
  /** Whether the document is what the agent makes of the session, with the gaps that this has. */
  readonly hasOwnGaps?: true;
  /** Whether it shows what sub-agents said, below the calls that began them. */
  readonly showsSubagents?: true;
  /** Whether an index of the folder shows what each day and model of it cost. */
  readonly showsUsage?: true;
  /** Whether it holds what the model saw and said, and not what a person is shown of that. */
  readonly isForModels?: true;
  /** Whether turns can be left out or changed; otherwise the format is the whole or nothing. */
  readonly isSelective: boolean;
  /** Secrets are taken out unless it is forbidden. */
  readonly redacts: boolean;
  /** The first is the default. */
  readonly images: readonly ImageMode[];
  /** `stem` is the name of the file without its extension. The chunks may throw NothingToExport. */
  createFile(document: ExportDocument, stem: string): ExportedFile;
}

/**
 * Chooses what becomes of images: what is asked for, or the first that is possible; otherwise returns what is.
 * `canSave`: whether the run makes files beside the document.
 */
export function chooseImages(
  { images }: Pick<ExportFormat, 'images'>,
  asked: ImageMode | undefined,
  canSave: boolean,
): { readonly mode: ImageMode } | { readonly possible: readonly ImageMode[] } {
  const possible = images.filter((mode) => mode !== 'extract' || canSave);
  const mode = asked ?? possible[0] ?? 'drop';
  return possible.includes(mode) ? { mode } : { possible };
}

/** Returns whether secrets are taken out: as asked, where some are named, or as the format does. */
export function isRedacted(
  redacts: boolean,
  asked: boolean | undefined,
  hasSecrets: boolean,
): boolean {
  return asked ?? (hasSecrets || redacts);
}

/** The session has nothing that this format could hold; what was written so far is to be dropped. */
export class NothingToExport extends Error {
  override readonly name = 'NothingToExport';
}

/** Makes a function that creates a file from chunks. `extension`: with its period. */
export function fileOf(
  extension: string,
  write: (document: ExportDocument) => AsyncIterable<string | Uint8Array>,
): ExportFormat['createFile'] {
  return (document, stem) => {
    return { name: `${stem}${extension}`, chunks: nameTooLong(write(document), document) };
  };
}

/** Chunks that end in a FileError where a text was too long: it names the session and the line. */
async function* nameTooLong<T>(
  chunks: AsyncIterable<T>,
  document: ExportDocument,
): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    throw toTooLong(error, document);
  }
}

/** A FileError for what is longer than a string can be; any other error as it is. */
export function toTooLong(error: unknown, document: ExportDocument): unknown {
  if (!isTooLong(error)) return error;
  const remedy = error instanceof TooLongError ? ` ${error.message}` : '';
  const message = `line ${document.line()}: holds a text that is too long to be exported${remedy}`;
  return new FileError(document.session.path, 'ETOOLONG', message, { cause: error });
}
