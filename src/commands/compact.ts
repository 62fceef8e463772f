import { compactContexts } from './compact-contexts.ts';
import { compactOptions } from './compact-options.ts';
import { type Args, type Context, defineCommand } from './command.ts';

export type CompactArgs = Args<typeof compactOptions>;

export const compact = defineCommand({
  name: 'compact',
  summary: 'Make sessions smaller: their context, or their file',
  details:
    'Appends a checkpoint to every session whose context has outgrown its model, as the agent would: ' +
    'a summary stands for what came before the recent messages. Nothing is taken out of the file. ' +
    'Shows what it would do; --apply does it.',
  options: compactOptions,
  examples: [
    { command: 'coppice compact', says: 'which sessions are due, and what would stay' },
    { command: 'coppice compact --apply --last 50', says: 'checkpoints for the latest, offline' },
    { command: 'coppice compact 0199a3f1 --force --show-summaries', says: 'the summary of one' },
  ],
  exitCodes: {},
  run: (args: CompactArgs, context: Context) => compactContexts(args, context),
});
