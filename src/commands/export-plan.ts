import { resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import type { ExportFormat, ImageMode } from '../export/format.ts';
import { type FormatName, loadFormat } from '../export/formats.ts';
import type { Scope } from '../session/select-entries.ts';
import { readSecretFile } from '../store/secret-file.ts';
import type { Redactor } from '../export/redact/redactor.ts';
import type { Context } from './command.ts';
import type { ExportArgs } from './export-options.ts';

interface CommonPlan {
  /** One for each session: what was found in one says nothing of another. */
  readonly createRedactor: (() => Redactor) | undefined;
  /** Everything that decides about the bytes of an export, beside its source. */
  readonly signature: string;
}

/** A document for each session. */
export interface DocumentPlan extends CommonPlan {
  readonly kind: 'documents';
  readonly name: FormatName;
  readonly format: ExportFormat;
  readonly out: string | undefined;
  readonly scope: Scope;
  readonly images: ImageMode;
}

/** Tables over all sessions. */
export interface DatasetPlan extends CommonPlan {
  readonly kind: 'dataset';
  readonly out: string;
}

/** Checks that the options make sense together. @throws UsageError */
export async function planExport(
  args: ExportArgs,
  context: Context,
): Promise<DocumentPlan | DatasetPlan> {
  const out = args.out === undefined ? undefined : resolve(context.cwd, args.out);
  if (args.branch !== undefined && args['all-branches']) {
    throw new UsageError('--branch and --all-branches: choose one');
  }
  const { as } = args;
  const format = as === 'parquet' ? undefined : await loadFormat(as);
  const { createRedactor, redaction } = await planRedaction(args, context, format);
  if (as === 'parquet' || !format) {
    checkDataset(args);
    if (out === undefined) throw new UsageError('--as parquet: is several files: add --out <dir>');
    return { kind: 'dataset', out, createRedactor, signature: JSON.stringify([as, redaction]) };
  }
  checkSelective(as, format, args);
  const images = chooseImages(as, format, args);
  const scope = {
    branch: args.branch,
    allBranches: args['all-branches'] || (as === 'html' && args.branch === undefined),
    fullHistory: args['full-history'] || as === 'html',
  };
  const { thinking, tools } = args;
  const signature = JSON.stringify([as, scope, { thinking, tools, images }, redaction]);
  return { kind: 'documents', name: as, format, out, scope, images, createRedactor, signature };
}

function checkDataset(args: ExportArgs): void {
  const given = (['branch', 'images'] as const).find((name) => args[name] !== undefined);
  if (given) throw new UsageError(`--${given}: does not go with --as parquet, which takes it all`);
}

function checkSelective(name: FormatName, { isSelective }: ExportFormat, args: ExportArgs): void {
  if (isSelective) return;
  const chosen = { 'no-thinking': !args.thinking, 'no-tools': !args.tools };
  const [given] = Object.entries(chosen).find(([, isGiven]) => isGiven) ?? [];
  if (given === undefined) return;
  throw new UsageError(`--${given}: does not go with --as ${name}, which is the session as it is`);
}

function chooseImages(name: FormatName, { images }: ExportFormat, args: ExportArgs): ImageMode {
  const possible = images.filter((mode) => mode !== 'extract' || args.out !== undefined);
  const [first = 'drop'] = possible;
  const asked = args.images ?? first;
  if (possible.includes(asked)) return asked;
  if (images.includes(asked)) throw new UsageError('--images extract: needs --out <dir>');
  throw new UsageError(`--images ${asked}: --as ${name} can ${images.join(' or ')} them`);
}

async function planRedaction(
  args: ExportArgs,
  context: Context,
  format: ExportFormat | undefined,
): Promise<{ createRedactor: CommonPlan['createRedactor']; redaction: unknown }> {
  const file = args['secret-file'];
  if (file !== undefined && args.redact === false) {
    throw new UsageError('--secret-file and --no-redact: choose one');
  }
  const isOn = args.redact ?? (file !== undefined || format?.redacts === true);
  if (!isOn) return { createRedactor: undefined, redaction: false };
  const exact = file === undefined ? [] : await readSecretFile(resolve(context.cwd, file));
  const [{ detectSecrets }, { Redactor }] = await Promise.all([
    import('../export/redact/detect-secrets.ts'),
    import('../export/redact/redactor.ts'),
  ]);
  return { createRedactor: () => new Redactor(detectSecrets, exact), redaction: exact };
}
