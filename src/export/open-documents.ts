import { openDocument, splitBranches } from './open-document.ts';
import type { UsageFacts } from './turns/usage-facts.ts';
import type { ExportDocument, ExportFormat } from './formats/format.ts';
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
export interface NamedDocument {
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
  readonly signal: AbortSignal;
}

/** The documents of one session: one, or one for each branch. */
export async function* openDocuments(
  source: SessionSource,
  request: DocumentRequest,
  { format, redactor, generator, usages, saveImage, signal }: DocumentTools,
): AsyncGenerator<NamedDocument> {
  const { scope, hasIndex } = request;
  const filter = { ...request.filter, saveImage };
  const isSplit = scope.allBranches && format.branches === 'file-each';
  const scopes: readonly Scope[] = isSplit ? splitBranches(source, scope) : [scope];
  for (const one of scopes) {
    const { showsSubagents } = format;
    const shared = { redactor, generator, usages, hasIndex, showsSubagents, signal };
    const options = { scope: one, filter, ...shared };
    const opened = await openDocument(source, options);
    const document = format.hasOwnGaps ? { ...opened, gaps: [] } : opened;
    const branch = isSplit ? (one.branch ?? '') : undefined;
    yield { document, suffix: branch === undefined ? '' : `_${await toSuffix(branch, redactor)}` };
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
