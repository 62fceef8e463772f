import { compressFiles } from './compression.ts';
import { compactContexts } from './context.ts';
import { compactOptions } from './options.ts';
import { changesStorage, type CompactRequest, toCompactRequest } from './request.ts';
import { reduceFiles } from './storage.ts';
import { type Context, defineCommand } from '../command.ts';

export const compact = defineCommand({
  name: 'compact',
  details:
    'Appends a compaction to every session whose context has outgrown its model, as the agent would: ' +
    'a summary stands for the messages before the recent ones, and nothing is removed from the ' +
    'file.\n\nWith --images, --tool-output, --copies, --superseded-state, --abandoned-branches or ' +
    '--summarized, it instead removes from the file what the model does not need; with --compress, the file ' +
    'holds the same in less space. Previews unless --apply.',
  options: compactOptions,
  examples: [
    { command: 'coppice compact', says: 'preview the sessions that are due' },
    { command: 'coppice compact --apply --last 50', says: 'compact the latest, offline' },
    { command: 'coppice compact 0199a3f1 --force --show-summaries', says: 'preview one summary' },
    {
      command: 'coppice compact --images extract --larger-than 50MB',
      says: 'move images to files',
    },
    { command: 'coppice compact --superseded-state --apply', says: 'remove old extension state' },
  ],
  exitCodes: {},
  getSchema: (values) => (changesStorage(values) ? 'compact-storage' : 'compact'),
  toRequest: toCompactRequest,
  run(request: CompactRequest, context: Context) {
    if (request.kind === 'compression') return compressFiles(request, context);
    return request.kind === 'storage'
      ? reduceFiles(request, context)
      : compactContexts(request, context);
  },
});
