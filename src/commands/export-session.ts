import { openDocument, splitBranches } from '../export/open-document.ts';
import type { ExportDocument } from '../export/format.ts';
import type { TurnFilter } from '../export/filter-turns.ts';
import type { Redaction } from '../export/redact/redaction.ts';
import type { Redactor } from '../export/redact/redactor.ts';
import type { SessionSource } from '../session/read-source.ts';
import type { Scope } from '../session/select-entries.ts';
import { readVersion } from '../version.ts';
import type { Context } from './command.ts';
import type { ExportArgs } from './export-options.ts';
import type { DocumentPlan } from './export-plan.ts';

/** A document, and what to call it beside others of its session. */
export interface NamedDocument {
  readonly document: ExportDocument;
  /** Empty, or `_` and the branch. */
  readonly suffix: string;
}

/** The documents of one session: one, or one for each branch. */
export async function* openDocuments(
  source: SessionSource,
  plan: DocumentPlan,
  args: ExportArgs,
  context: Context,
  tools: { redactor: Redactor | undefined; saveImage?: TurnFilter['saveImage'] },
): AsyncGenerator<NamedDocument> {
  const { scope, format, images } = plan;
  const { thinking, tools: withTools } = args;
  const filter = { thinking, tools: withTools, images, saveImage: tools.saveImage };
  const isSplit = scope.allBranches && format.branches === 'file-each';
  const scopes: readonly Scope[] = isSplit ? splitBranches(source, scope) : [scope];
  for (const one of scopes) {
    const { redactor } = tools;
    const generator = `coppice ${readVersion()}`;
    const options = { scope: one, filter, redactor, generator, signal: context.signal };
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
