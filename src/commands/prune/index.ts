import { ExitCode } from '../../errors.ts';
import { type Context, defineCommand } from '../command.ts';
import { runOrphans } from './orphans.ts';
import { pruneOptions } from './options.ts';
import { type PruneRequest, toPruneRequest } from './request.ts';
import { runPrune } from './run.ts';

export const prune = defineCommand({
  name: 'prune',
  details:
    'Selectors choose sessions, and keep rules protect some of them. The rest is removed; with a ' +
    'budget, only as much as needed. Previews unless --apply, which moves sessions to the trash. A ' +
    'session is as old as the youngest of its lineage. Protected: sessions that cannot be read, are ' +
    'in use, linked or pinned, have a kept fork, or are the last of their store. Options lift some ' +
    'of this: docs/prune.md.',
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
    {
      command: 'coppice prune --archive ~/old --restore all --project ~/src/api',
      says: 'restore a project',
    },
  ],
  withoutTargets: 'Default: all; needs a selector, rule or budget.',
  exitCodes: {
    [ExitCode.found]: 'with --check: something in the archive is damaged',
    [ExitCode.partial]: 'some sessions could not be read or removed; the rest is done',
  },
  getSchema: ({ list, check, 'rebuild-index': rebuild }) => {
    if (check === true) return 'prune-check';
    return list === true || rebuild === true ? 'prune-list' : 'prune';
  },
  toRequest: toPruneRequest,
  async run({ task, ...request }: PruneRequest, context: Context) {
    if (task.kind === 'remove') return runPrune({ ...request, task }, context);
    if (task.kind === 'orphans') return runOrphans({ ...request, task }, context);
    // A plan, which is what most runs make, needs none of it.
    const { runOnArchive } = await import('./archive/run.ts');
    return runOnArchive({ ...request, task }, context);
  },
});
