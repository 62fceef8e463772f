import { ExitCode } from '../../errors.ts';
import { type Context, defineCommand } from '../command.ts';
import { exportOptions } from './options.ts';
import { planExport } from './plan.ts';
import { type ExportRequest, toExportRequest } from './request.ts';
import { exportToFolder } from './folder/to-folder.ts';
import { exportToOutput } from './to-stdout.ts';

export const exportCommand = defineCommand({
  name: 'export',
  details:
    'Writes each session in a format to read (md, html, text), to process (json, jsonl, context, ' +
    'parquet), to train on (chat, atif, sts), or as it is (archive). Unless options say otherwise, ' +
    'exports what the model would see at the end of the current path; jsonl the whole path, html and ' +
    'parquet every branch. Skips sessions that have not changed since the last export to the same ' +
    'directory. Never changes a session.',
  options: exportOptions,
  examples: [
    { command: 'coppice export 0199a3f1 | less', says: 'one session, as Markdown' },
    { command: 'coppice export --as html --out site --project .', says: 'pages with an index' },
    { command: 'coppice export --as jsonl --redact --out share', says: 'to open elsewhere' },
    { command: 'coppice export --as chat --out train --named "good*"', says: 'for fine-tuning' },
    { command: 'coppice export --as parquet --out lake --shard 1/8', says: 'one job of eight' },
  ],
  exitCodes: { [ExitCode.partial]: 'some sessions could not be exported; the rest is done' },
  toRequest: toExportRequest,
  async run(request: ExportRequest, context: Context) {
    const plan = await planExport(request);
    if (plan.kind === 'archive') {
      const { exportArchive } = await import('./archive.ts');
      return exportArchive(plan, request, context);
    }
    if (plan.kind === 'dataset') {
      const { exportParquet } = await import('./parquet.ts');
      return exportParquet(plan, request, context);
    }
    return plan.out === undefined
      ? exportToOutput(plan, request, context)
      : exportToFolder({ ...plan, out: plan.out }, request, context);
  },
});
