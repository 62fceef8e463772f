import { UsageError } from '../../errors.ts';
import { toScope } from '../../export/open-document.ts';
import type { DocumentRequest } from '../../export/write-documents.ts';
import {
  chooseImages,
  type ExportFormat,
  type ImageMode,
  isRedacted,
} from '../../export/formats/format.ts';
import { type FormatName, loadFormat } from '../../export/formats/formats.ts';
import { readSourceState } from '../../store/output/source-states.ts';
import { readSecretFile } from '../../store/files/secret-file.ts';
import { readVersion } from '../../package.ts';
import type { ExportRequest } from './request.ts';
import { toShortHash } from '../../export/short-hash.ts';

/** The secrets to take out, with all that look like one; undefined: nothing is taken out. */
type Secrets = readonly string[] | undefined;

interface CommonPlan {
  /** Everything that decides about the bytes of an export, beside its source; holds no secret. */
  readonly signature: string;
  /** A hash of the way in which secrets are taken out; empty if they are kept. */
  readonly redaction: string;
}

/** A document for each session. */
export interface DocumentPlan extends CommonPlan {
  readonly kind: 'documents';
  readonly out: string | undefined;
  readonly request: DocumentRequest;
  readonly format: ExportFormat;
}

/** Tables over all sessions. */
export interface DatasetPlan extends CommonPlan {
  readonly kind: 'dataset';
  readonly out: string;
  readonly secrets: Secrets;
}

/** States of sessions, as prune archives them. */
export interface ArchivePlan {
  readonly kind: 'archive';
  /** Absolute; undefined for one tar on standard output. */
  readonly out: string | undefined;
}

const NO_DESTINATION =
  '--as archive: writes several files; add --out <dir>, or --out - for one tar on standard output';
const NO_PREVIEW =
  '--dry-run: cannot be combined with --out -, which has no earlier export to compare with';
const NOT_REDACTED =
  '--as archive: copies sessions as they are, with their secrets; use --no-redact, or another format';

/** Checks that the options fit together, and reads the secrets. @throws UsageError */
export async function planExport(
  request: ExportRequest,
): Promise<DocumentPlan | DatasetPlan | ArchivePlan> {
  const { as, out, scope: asked, thinking, tools } = request;
  if (as === 'archive') {
    if (out === undefined && !request.toOutput) throw new UsageError(NO_DESTINATION);
    if (out === undefined && request.dryRun) throw new UsageError(NO_PREVIEW);
    if (isRedacted(false, request.redact, request.secretFile !== undefined))
      throw new UsageError(NOT_REDACTED);
    return { kind: 'archive', out };
  }
  const format = as === 'parquet' ? undefined : await loadFormat(as);
  const secrets = await readSecrets(request, format);
  const version = readVersion();
  const redaction = secrets
    ? toShortHash(JSON.stringify([version, await describeSecrets(request)]))
    : '';
  if (as === 'parquet' || !format) {
    checkWhole(as, request);
    if (out === undefined)
      throw new UsageError('--as parquet: writes several files; add --out <dir>');
    const signature = JSON.stringify([version, as, redaction]);
    return { kind: 'dataset', out, secrets, signature, redaction };
  }
  if (!format.isSelective) checkWhole(as, request);
  const images = toImageMode(as, format, request);
  const scope = toScope(format, asked);
  const filter = { thinking, tools, images };
  const signature = JSON.stringify([version, as, scope, filter, redaction]);
  const documents = { name: as, scope, filter, secrets, hasIndex: false };
  return { kind: 'documents', out, request: documents, format, signature, redaction };
}

/** Refuses a format that would show a part that is to be left out. */
function checkWhole(name: ExportRequest['as'], { thinking, tools, given }: ExportRequest): void {
  const isLeftOut = { thinking: !thinking, tools: !tools };
  const [part] = Object.entries(isLeftOut).find(([, one]) => one) ?? [];
  if (part === undefined) return;
  const left = `--as ${name}, which leaves out no part of a message`;
  throw new UsageError(
    given.has(part)
      ? `--no-${part}: cannot be combined with ${left}`
      : `${part}: false in a configuration file cannot be combined with ${left}; add --${part}`,
  );
}

/** A configuration file may ask for images that only other formats have, but what it drops is not shown. */
function toImageMode(name: FormatName, format: ExportFormat, request: ExportRequest): ImageMode {
  const { images, out, given } = request;
  const canSave = out !== undefined;
  const isGiven = given.has('images');
  for (const asked of isGiven || images === 'drop' ? [images] : [images, undefined]) {
    const chosen = chooseImages(format, asked, canSave);
    if ('mode' in chosen) return chosen.mode;
  }
  if (images && format.images.includes(images))
    throw new UsageError('--images extract: needs --out <dir>');
  const possible = `--as ${name} can ${format.images.join(' or ')} them`;
  throw new UsageError(
    isGiven
      ? `--images ${images}: ${possible}`
      : `images: ${images} in a configuration file: ${possible}; add --images ${format.images.join('|')}`,
  );
}

/** A hash of the secrets themselves could be guessed by those who are handed the record of it. */
async function describeSecrets({ secretFile }: ExportRequest): Promise<string> {
  return secretFile === undefined ? '' : readSourceState(secretFile);
}

async function readSecrets(
  { redact, secretFile }: ExportRequest,
  format: ExportFormat | undefined,
): Promise<Secrets> {
  if (!isRedacted(format?.redacts === true, redact, secretFile !== undefined)) return undefined;
  return secretFile === undefined ? [] : readSecretFile(secretFile);
}
