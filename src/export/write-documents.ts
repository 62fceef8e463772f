import { type DocumentOptions, openDocument, splitBranches } from './open-document.ts';
import type { UsageFacts } from './turns/usage-facts.ts';
import {
  type ExportDocument,
  type ExportedFile,
  type ExportFormat,
  NothingToExport,
} from './formats/format.ts';
import type { Problem, SessionSummary } from '../session/model/summary.ts';
import type { TurnFilter } from './turns/filter-turns.ts';
import type { Redactor } from './redact/redactor.ts';
import type { Scope } from '../session/read/select-entries.ts';
import type { FormatName } from './formats/formats.ts';
import type { SessionSource } from '../session/read/read-session.ts';
import { toShortHash } from './short-hash.ts';
import type { Redaction } from './redact/redaction.ts';

/** The documents to make of each session: plain data, which can be sent to threads. */
export interface DocumentRequest {
  readonly name: FormatName;
  readonly scope: Scope;
  readonly filter: Omit<TurnFilter, 'saveImage'>;
  /** The secrets to take out, with all that look like one; undefined: nothing is taken out. */
  readonly secrets: readonly string[] | undefined;
  /** Whether each is to be a page of several, which link to an index. */
  readonly hasIndex: boolean;
}

/** A name in lower case: some file systems know no other. */
const SAFE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A document, and what to call it beside others of its session. */
interface NamedDocument {
  readonly document: ExportDocument;
  /** Empty, or `_` and the branch. */
  readonly suffix: string;
}

export interface DocumentTools {
  readonly format: ExportFormat;
  readonly redactor: Redactor | undefined;
  /** Name and version of the program that exports. */
  readonly generator: string;
  readonly usages?: UsageFacts | undefined;
  readonly saveImage?: TurnFilter['saveImage'];
  readonly onFile?: DocumentOptions['onFile'];
  readonly signal: AbortSignal;
}

/** Takes the files of an export. */
export interface DocumentSink {
  /** Returns the name of the file of a document, without an extension and a mark of the branch. */
  readonly toStem: (summary: SessionSummary) => string;
  /** Writes a file, or throws what its chunks throw and leaves nothing of it. */
  readonly write: (file: ExportedFile) => Promise<void>;
}

export interface WrittenDocuments {
  /** Parts of the session that could not be read, and are missing; each once. */
  readonly gaps: readonly Problem[];
  /** Whether no document has anything. */
  readonly isEmpty: boolean;
}

/**
 * Writes the document of a session, or one for each branch. A document that would have nothing is left out.
 * @throws FileError; whatever the sink throws.
 */
export async function writeDocuments(
  source: SessionSource,
  request: DocumentRequest,
  tools: DocumentTools,
  { toStem, write }: DocumentSink,
): Promise<WrittenDocuments> {
  const gaps = new Map<string, Problem>();
  let isEmpty = true;
  for await (const { document, suffix } of openDocuments(source, request, tools)) {
    for (const gap of document.gaps) gaps.set(gap.message, gap);
    try {
      await write(tools.format.createFile(document, toStem(document.summary) + suffix));
      isEmpty = false;
    } catch (error) {
      if (!(error instanceof NothingToExport)) throw error;
    }
  }
  return { gaps: [...gaps.values()], isEmpty };
}

/** The documents of one session: one, or one for each branch. */
async function* openDocuments(
  source: SessionSource,
  request: DocumentRequest,
  { format, redactor, generator, usages, saveImage, signal, onFile }: DocumentTools,
): AsyncGenerator<NamedDocument> {
  const { scope, hasIndex } = request;
  const filter = { ...request.filter, saveImage };
  const isSplit = scope.allBranches && format.branches === 'file-each';
  const scopes: readonly Scope[] = isSplit ? splitBranches(source, scope) : [scope];
  for (const one of scopes) {
    const { showsSubagents } = format;
    const shared = { redactor, generator, usages, hasIndex, showsSubagents, signal, onFile };
    const options = { scope: one, filter, ...shared };
    const opened = await openDocument(source, options);
    const document = format.hasOwnGaps ? { ...opened, gaps: [] } : opened;
    const end = typeof one.branch === 'object' ? one.branch.id : undefined;
    yield { document, suffix: end === undefined ? '' : `_${await toSuffix(end, redactor)}` };
  }
}

/** Returns the id of the last entry of a branch, unless a file system or a secret prevents that. */
async function toSuffix(branch: string, redactor: Redactor | undefined): Promise<string> {
  const safe = redactor ? (await redactor.redact({ branch }, 0))['branch'] : branch;
  return safe === branch && SAFE_NAME.test(branch) ? branch : toShortHash(branch);
}

/** Describes for people, without the secrets, as in `2 secrets taken out in 3 places (github-token)`. */
export function describeRedactions(redactions: readonly Redaction[]): readonly string[] {
  if (redactions.length === 0) return [];
  const secrets = new Set(redactions.map(({ secret }) => secret)).size;
  const places = redactions.reduce((sum, one) => sum + one.count, 0);
  const rules = [...new Set(redactions.map(({ rule }) => rule))].toSorted().join(', ');
  const where = places > secrets ? ` in ${places} places` : '';
  return [`${secrets} ${secrets === 1 ? 'secret' : 'secrets'} taken out${where} (${rules})`];
}
