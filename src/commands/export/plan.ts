import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { ExportFormat, ImageMode } from '../../export/formats/format.ts';
import { type FormatName, loadFormat } from '../../export/formats/formats.ts';
import type { Scope } from '../../session/read/select-entries.ts';
import { readFileState, toKey } from '../../store/output/export-folder.ts';
import { readSecretFile } from '../../store/read/secret-file.ts';
import type { TurnFilter } from '../../export/turns/filter-turns.ts';
import { readVersion } from '../../package.ts';
import type { Context } from '../command.ts';
import type { ExportArgs } from './options.ts';

/** To be taken out, with all that look like one; undefined: nothing is. */
type Secrets = readonly string[] | undefined;

interface CommonPlan {
  /** Everything that decides about the bytes of an export, beside its source; holds no secret. */
  readonly signature: string;
  /** How secrets are taken out, as a hash; empty where they are not. */
  readonly redaction: string;
}

/** What to make of each session: plain data, which threads can be handed. */
export interface DocumentRequest {
  readonly name: FormatName;
  readonly scope: Scope;
  readonly filter: Omit<TurnFilter, 'saveImage'>;
  readonly secrets: Secrets;
  /** Whether each is to be a page of several, which link to an index. */
  readonly hasIndex: boolean;
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

/** Checks that the options make sense together. @throws UsageError */
export async function planExport(
  args: ExportArgs,
  context: Context,
): Promise<DocumentPlan | DatasetPlan> {
  const out = isToFolder(args) ? resolve(context.cwd, args.out) : undefined;
  const { as } = args;
  const format = as === 'parquet' ? undefined : await loadFormat(as);
  const secrets = await readSecrets(args, context, format);
  const version = readVersion();
  const redaction = secrets
    ? toKey(JSON.stringify([version, await describeSecrets(args, context)]))
    : '';
  if (as === 'parquet' || !format) {
    if (out === undefined) throw new UsageError('--as parquet: is several files: add --out <dir>');
    const signature = JSON.stringify([version, as, redaction]);
    return { kind: 'dataset', out, secrets, signature, redaction };
  }
  checkSelective(as, format, args);
  const images = chooseImages(as, format, args);
  const scope = {
    branch: args.branch,
    allBranches: args['all-branches'] || (as === 'html' && args.branch === undefined),
    fullHistory: args['full-history'] || as === 'html',
  };
  const { thinking, tools } = args;
  const filter = { thinking, tools, images };
  const signature = JSON.stringify([version, as, scope, filter, redaction]);
  const request = { name: as, scope, filter, secrets, hasIndex: false };
  return { kind: 'documents', out, request, format, signature, redaction };
}

/** As everywhere, `-` is standard output. */
function isToFolder(args: ExportArgs): args is ExportArgs & { out: string } {
  return args.out !== undefined && args.out !== '-';
}

function checkSelective(name: FormatName, { isSelective }: ExportFormat, args: ExportArgs): void {
  if (isSelective) return;
  const chosen = { 'no-thinking': !args.thinking, 'no-tools': !args.tools };
  const [given] = Object.entries(chosen).find(([, isGiven]) => isGiven) ?? [];
  if (given === undefined) return;
  throw new UsageError(`--${given}: does not go with --as ${name}, which is the session as it is`);
}

function chooseImages(name: FormatName, { images }: ExportFormat, args: ExportArgs): ImageMode {
  const possible = images.filter((mode) => mode !== 'extract' || isToFolder(args));
  const [first = 'drop'] = possible;
  const asked = args.images ?? first;
  if (possible.includes(asked)) return asked;
  if (images.includes(asked)) throw new UsageError('--images extract: needs --out <dir>');
  throw new UsageError(`--images ${asked}: --as ${name} can ${images.join(' or ')} them`);
}

/** A hash of the secrets themselves could be guessed by those who are handed the record of it. */
async function describeSecrets(args: ExportArgs, context: Context): Promise<string> {
  const file = args['secret-file'];
  return file === undefined ? '' : readFileState(resolve(context.cwd, file));
}

async function readSecrets(
  args: ExportArgs,
  context: Context,
  format: ExportFormat | undefined,
): Promise<Secrets> {
  const file = args['secret-file'];
  const isOn = args.redact ?? (file !== undefined || format?.redacts === true);
  if (!isOn) return undefined;
  return file === undefined ? [] : readSecretFile(resolve(context.cwd, file));
}
