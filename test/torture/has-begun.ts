import { FileError } from '../../src/errors.ts';
import { orFileError } from '../../src/session/jsonl/files/file-error.ts';
import { requireArchive } from '../../src/store/archive/index/archive-index.ts';

/** Returns whether a run was killed when the directory was an archive already: an empty one is none. */
export async function hasBegun(archive: string): Promise<boolean> {
  return !((await orFileError(() => requireArchive(archive))) instanceof FileError);
}
