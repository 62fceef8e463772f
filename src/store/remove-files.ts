import { rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../errors.ts';
import { toFileError } from '../session/jsonl/file-error.ts';
import { isSameState } from '../session/jsonl/file-stamp.ts';
import { releaseAfter } from '../session/jsonl/release-after.ts';
import { type FileTree, stampFile, type StampedFile } from './session-files.ts';

/**
 * Removes the files of a tree below a directory, each after a last look, and then the directories
 * that are empty. The first file decides: if it cannot be removed, nothing is. Of the rest as much is
 * removed as can be; a file that came later, or changed, is kept.
 * @throws FileError that names the first file which was not removed; `ECHANGED` if it changed.
 */
export async function removeFiles(home: string, { files, directories }: FileTree): Promise<void> {
  const [first, ...rest] = files;
  if (first) await unlinkPlanned(home, first);
  await removeRest(home, { files: rest, directories });
}

/** The same where nothing is decided any more. */
async function removeRest(home: string, { files, directories }: FileTree): Promise<void> {
  const folders = directories.toReversed().map(({ name }) => join(home, name));
  await releaseAfter(
    () => Promise.resolve(),
    ...files.map((one) => () => unlinkPlanned(home, one)),
    ...folders.map(
      (one) => () => ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], one, () => rmdir(one)),
    ),
  );
}

/** Looks once more: a line that came a moment ago is nowhere else. */
async function unlinkPlanned(home: string, planned: StampedFile): Promise<void> {
  const path = join(home, planned.name);
  await ignoring(['ENOENT'], path, async () => {
    if (!isSameState(await stampFile(home, planned.name), planned)) {
      throw new FileError(path, 'ECHANGED', 'changed since it was read: kept');
    }
    await unlink(path);
  });
}

/** Another run may have done it already. */
export async function ignoring(
  codes: readonly string[],
  path: string,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    const problem = toFileError(error, path, 'delete');
    if (!codes.includes(problem.code)) throw problem;
  }
}
