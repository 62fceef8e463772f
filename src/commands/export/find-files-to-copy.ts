import { dirname } from 'node:path';
import { isInShard } from '../../store/select/shard.ts';
import type { FoundFile } from '../../store/find/discover.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { findChosenFiles, type FoundFiles, noteShard } from '../shared/select.ts';
import { refuseOwnFiles } from './to-folder.ts';

export interface ChosenFiles extends FoundFiles {
  /** Paths of those that lie in the folder of another one, with which they are copied. */
  readonly owned: ReadonlySet<string>;
}

/**
 * The files that a backup copies. A store is not taken from the settings of the project in the working
 * directory, as in prune: the archive would have a place for it to restore to.
 */
export async function findFilesToCopy(
  select: SelectionRequest,
  out: string,
  context: Context,
): Promise<ChosenFiles> {
  const { shard } = select.selection;
  const isOwn = ({ path }: { readonly path: string }): boolean => isInShard(path, shard);
  await noteShard(select, context);
  // The owner of a file may be in another part.
  const all = { ...select, selection: { ...select.selection, shard: undefined } };
  const { files, problems } = await findChosenFiles(all, context);
  refuseOwnFiles({ files, problems }, out);
  return {
    files: files.filter(isOwn),
    problems: problems.filter(isOwn),
    owned: listOwned(files),
  };
}

function listOwned(files: readonly FoundFile[]): ReadonlySet<string> {
  const paths = new Set(files.map(({ path }) => path));
  const isOwned = ({ path }: FoundFile): boolean => {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      if (paths.has(`${at}.jsonl`) || paths.has(`${at}.json`)) return true;
    }
    return false;
  };
  return new Set(files.filter(isOwned).map(({ path }) => path));
}
