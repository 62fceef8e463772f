import { ExitCode } from '../../errors.ts';
import { receiveArchive, withSpool } from '../../store/archive/stream.ts';
import { type Context, defineCommand } from '../command.ts';
import { checkArchive, rebuildArchiveIndex } from './archive/check-archive.ts';
import { listArchive } from './archive/list-archive.ts';
import { runOrphans } from './orphans.ts';
import { pruneOptions } from './options.ts';
import { type PruneRequest, toPruneRequest } from './request.ts';
import { restoreRows } from './archive/put-back.ts';
import { restoreFromArchive } from './archive/restore.ts';
import { runRetention } from './archive/retention.ts';
import { runPrune } from './run.ts';

/** An archive that comes as a stream is read from a directory that is gone afterwards. */
async function withArchive<T extends { readonly archive: string; readonly isStream: boolean }>(
  task: T,
  { terminal, signal }: Context,
  use: (task: T) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!task.isStream) return use(task);
  return withSpool(async (directory) => {
    await receiveArchive(terminal.openInput(signal), directory);
    return use({ ...task, archive: directory });
  });
}

export const prune = defineCommand({
  name: 'prune',
  details:
    'Selectors choose sessions, and keep rules protect some of them. The rest is removed, or, with a ' +
    'budget, only as much as needed to meet it. Previews unless --apply, which moves sessions to ' +
    'the trash. A session is as old as its whole fork lineage. Never removed: what cannot be ' +
    'read, is in use, linked or pinned, has a kept fork, or is the last of its store: docs/prune.md.',
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
    switch (task.kind) {
      case 'list':
        return withArchive(task, context, (one) => listArchive({ ...request, task: one }, context));
      case 'check':
        return withArchive(task, context, (one) =>
          checkArchive({ ...request, task: one }, context),
        );
      case 'rebuild-index':
        return rebuildArchiveIndex({ ...request, task }, context);
      case 'restore':
        return withArchive(task, context, (one) =>
          restoreFromArchive({ ...request, task: one }, context),
        );
      case 'rows':
        return restoreRows({ ...request, task }, context);
      case 'retain':
        return runRetention({ ...request, task }, context);
      case 'orphans':
        return runOrphans({ ...request, task }, context);
      case 'remove':
        return runPrune({ ...request, task }, context);
    }
  },
});
