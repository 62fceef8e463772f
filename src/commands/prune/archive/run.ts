import type { ExitCode } from '../../../errors.ts';
import { requireArchive } from '../../../store/archive/index/archive-index.ts';
import { receiveArchive } from '../../../store/archive/stream.ts';
import { withPrivateDirectory } from '../../../store/files/private-directory.ts';
import type { Context } from '../../command.ts';
import type { PastTask, PruneRequest } from '../request.ts';
import { checkArchive, rebuildArchiveIndex } from './check-archive.ts';
import { listArchive } from './list-archive.ts';
import { runKeptRestore } from './restore-kept.ts';
import { restoreFromArchive } from './restore.ts';
import { runRetention } from './retention.ts';

/** Runs what `prune` does with an archive, or with what it put beside a session that is in the trash. */
export async function runOnArchive(
  { task, ...request }: PruneRequest<PastTask>,
  context: Context,
): Promise<ExitCode> {
  switch (task.kind) {
    case 'list':
      return withArchive(task, context, (one) => listArchive({ ...request, task: one }, context));
    case 'check':
      return withArchive(task, context, (one) => checkArchive({ ...request, task: one }, context));
    case 'rebuild-index':
      return withArchive(task, context, (one) =>
        rebuildArchiveIndex({ ...request, task: one }, context),
      );
    case 'restore':
      return withArchive(task, context, (one) =>
        restoreFromArchive({ ...request, task: one }, context),
      );
    case 'kept':
      return runKeptRestore({ ...request, task }, context);
    case 'retain':
      await requireArchive(task.directory.path);
      return runRetention({ ...request, task }, context);
  }
}

/** An archive that comes as a stream is read from a directory that is gone afterwards. */
async function withArchive<T extends { readonly archive: string; readonly isStream: boolean }>(
  task: T,
  { terminal, signal }: Context,
  use: (task: T) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (!task.isStream) {
    await requireArchive(task.archive);
    return use(task);
  }
  return withPrivateDirectory(async (directory) => {
    await receiveArchive(terminal.openInput(signal), directory);
    return use({ ...task, archive: directory });
  });
}
