import { ExitCode, UsageError } from '../../errors.ts';
import { type Context, defineCommand } from '../command.ts';
import { listArchive } from './list-archive.ts';
import { type PruneArgs, pruneOptions } from './options.ts';
import { restoreFromArchive } from './restore.ts';
import { runPrune } from './run.ts';

export const prune = defineCommand({
  name: 'prune',
  details:
    'Selectors choose sessions and keep rules protect some of them. The rest is removed, or, with a ' +
    'budget, only as much as needed to meet it. Previews unless --apply, which moves sessions to ' +
    'the trash. The age of a session is that of its whole fork lineage. Never removed: sessions ' +
    'that cannot be read, are in use, are linked, have a kept fork, changed since the plan, or are ' +
    'the last of their store. See docs/prune.md.',
  options: pruneOptions,
  examples: [
    {
      command: 'coppice prune --older-than 30d --keep-last 3 --keep-named',
      says: 'preview',
    },
    {
      command: 'coppice prune --keep-daily 7 --keep-weekly 8 --keep-monthly 12 --apply',
      says: 'move to the trash',
    },
    {
      command: 'coppice prune --max-total-size 5GB --keep-named --apply --archive ~/old --quiet',
      says: 'for cron',
    },
    { command: 'coppice prune --empty --plan-out plan.ndjson', says: 'review and edit first' },
    { command: 'coppice prune --plan plan.ndjson --apply', says: 'then apply it' },
    { command: 'coppice prune --archive ~/old --restore 0199a3f1', says: 'restore one session' },
  ],
  exitCodes: { [ExitCode.partial]: 'some sessions could not be read or removed; the rest is done' },
  getSchema: ({ list }) => (list ? 'prune-list' : 'prune'),
  async run(args: PruneArgs, context: Context) {
    refuseTargets(args);
    const { archive, restore } = args;
    if (archive === undefined) return runPrune(args, context);
    if (args.list) return listArchive(archive, args, context);
    if (restore) return restoreFromArchive(archive, restore, args, context);
    return runPrune(args, context);
  },
});

/** @throws UsageError for targets where something else says which sessions are meant. */
function refuseTargets({ targets, list, restore, plan }: PruneArgs): void {
  if (targets.length === 0) return;
  const asked = { list, restore: restore !== undefined, plan: plan !== undefined };
  for (const [option, isAsked] of Object.entries(asked)) {
    if (isAsked) throw new UsageError(`--${option}: cannot be combined with targets`);
  }
}
