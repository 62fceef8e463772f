import { createShardTest } from '../../store/select/shard.ts';
import type { CopySources } from '../../store/archive/copy/copy-sessions.ts';
import { findOwners } from '../../store/archive/copy/owners.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { findChosenFiles } from '../shared/select/sessions.ts';
import type { FoundFiles } from '../shared/select/files.ts';
import { reportShard } from '../shared/select/targets.ts';
import { refuseOwnFiles } from './folder/to-folder.ts';

/**
 * Finds the files that a backup copies. As in prune, the settings of the project in the working
 * directory choose no store: the archive would restore to it.
 */
export async function findFilesToCopy(
  select: SelectionRequest,
  out: string,
  context: Context,
): Promise<FoundFiles & Pick<CopySources, 'all' | 'owners'>> {
  const { shard } = select.selection;
  const isHere = createShardTest(shard);
  await reportShard(select, context);
  // The owner of a file may be in another part.
  const all = { ...select, selection: { ...select.selection, shard: undefined } };
  const chosen = await findChosenFiles(all, context);
  const { files } = chosen;
  refuseOwnFiles(chosen, out);
  return {
    files: files.filter(isHere),
    all: chosen.all.files,
    problems: chosen.problems.filter(isHere),
    owners: findOwners(files),
  };
}
