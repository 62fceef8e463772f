import { compactContexts } from './compact-contexts.ts';
import { compactOptions } from './compact-options.ts';
import { hasReducers, reduceFiles } from './reduce-files.ts';
import { type Args, type Context, defineCommand } from './command.ts';

export type CompactArgs = Args<typeof compactOptions>;

export const compact = defineCommand({
  name: 'compact',
  details:
    'Appends a checkpoint to every session whose context has outgrown its model, as the agent would: ' +
    'a summary stands for what came before the recent messages; nothing is taken out of the file.\n\n' +
    'With --images, --tool-output, --superseded-state, --abandoned-branches or --summarized it ' +
    'takes out of the file what the model does not need, instead. Shows what it would do; --apply ' +
    'does it.',
  options: compactOptions,
  examples: [
    { command: 'coppice compact', says: 'which sessions are due, and what would stay' },
    { command: 'coppice compact --apply --last 50', says: 'checkpoints for the latest, offline' },
    { command: 'coppice compact 0199a3f1 --force --show-summaries', says: 'the summary of one' },
    {
      command: 'coppice compact --images extract --larger-than 50MB',
      says: 'images into files beside the session',
    },
    { command: 'coppice compact --superseded-state --apply', says: 'old extension state' },
  ],
  exitCodes: {},
  run(args: CompactArgs, context: Context) {
    return hasReducers(args) ? reduceFiles(args, context) : compactContexts(args, context);
  },
});
