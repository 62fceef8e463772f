import { openDocument, splitBranches } from '../export/open-document.ts';
import type { ExportDocument, ExportFormat } from '../export/format.ts';
import type { TurnFilter } from '../export/filter-turns.ts';
import type { Redaction } from '../export/redact/redaction.ts';
import type { Redactor } from '../export/redact/redactor.ts';
import type { SessionSource } from '../session/read-source.ts';
import type { Scope } from '../session/select-entries.ts';
import { readVersion } from '../version.ts';
import type { DocumentRequest } from './export-plan.ts';

/** A document, and what to call it beside others of its session. */
export interface NamedDocument {
  readonly document: ExportDocument;
  /** Empty, or `_` and the branch. */
  readonly suffix: string;
}

export interface DocumentTools {
  readonly format: ExportFormat;
  readonly redactor: Redactor | undefined;
  readonly saveImage?: TurnFilter['saveImage'];
  readonly signal: AbortSignal;
}

/** The documents of one session: one, or one for each branch. */
export async function* openDocuments(
  source: SessionSource,
  request: DocumentRequest,
  { format, redactor, saveImage, signal }: DocumentTools,
): AsyncGenerator<NamedDocument> {
  const { scope } = request;
  const filter = { ...request.filter, saveImage };
  const isSplit = scope.allBranches && format.branches === 'file-each';
  const scopes: readonly Scope[] = isSplit ? splitBranches(source, scope) : [scope];
  const generator = `coppice ${readVersion()}`;
  for (const one of scopes) {
    const options = { scope: one, filter, redactor, generator, signal };
    const document = await openDocument(source, options);
    yield { document, suffix: isSplit ? `_${one.branch ?? ''}` : '' };
  }
}

/** For people, without the secrets: `2 secrets taken out (github-token)`. */
export function describeRedactions(redactions: readonly Redaction[]): readonly string[] {
  if (redactions.length === 0) return [];
  const count = redactions.reduce((sum, one) => sum + one.count, 0);
  const rules = [...new Set(redactions.map(({ rule }) => rule))].toSorted().join(', ');
  return [`${count} ${count === 1 ? 'secret' : 'secrets'} taken out (${rules})`];
}
