import { rmdir, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { changedError, toFileError } from '../../session/jsonl/files/file-error.ts';
import { tryAll } from '../../session/jsonl/files/release-after.ts';
import { inDirectory } from '../output/hold-directory.ts';
import { type FileTree, isSameFile, stampFile, type StampedFile } from '../sessions/file-tree.ts';

/**
 * Removes the files of a tree, each after a last look, and then the directories that are empty. The first file
 * decides: if this run cannot remove it, nothing is removed. Of the rest as much is removed as can be; a file that
 * came later, or changed, is kept, with the directory that it is in. Nothing is removed through a link that was put
 * in the place of a directory. `look`: called just before each of the rest is removed; throws where that must not
 * go any more.
 * @throws FileError that names the first file or directory which was not removed; `ECHANGED` if it changed, `ENOENT`
 * if another run has removed the first.
 */
export async function removeFiles(tree: FileTree, look?: () => void): Promise<void> {
  const [first, ...rest] = tree.files;
  if (first) await removeFile(tree, first, []);
  await tryAll(
    ...rest.map((one) => () => removeFile(tree, one, ['ENOENT'], look)),
    ...tree.directories.toReversed().map((one) => () => removeDirectory(tree, one, look)),
  );
}

/** Looks once more: a line that came a moment ago is nowhere else. */
async function removeFile(
  tree: FileTree,
  planned: StampedFile,
  ignored: readonly string[],
  look?: () => void,
): Promise<void> {
  await inParent(tree, planned, ignored, async (directory) => {
    const name = basename(planned.name);
    if (!isSameFile(planned, stampFile(directory, name))) {
      throw changedError(join(tree.root, planned.name), ', and is kept');
    }
    look?.();
    await unlink(join(directory, name));
  });
}

async function removeDirectory(tree: FileTree, one: StampedFile, look?: () => void): Promise<void> {
  await inParent(tree, one, ['ENOENT'], async (directory) => {
    look?.();
    await rmdir(join(directory, basename(one.name)));
  });
}

/** Acts in the directory that holds a file of a tree, as it was when it was looked at. */
async function inParent(
  tree: FileTree,
  { name }: StampedFile,
  ignored: readonly string[],
  act: (directory: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(name);
  const expected = tree.holders.get(parent) ?? tree.directories.find((one) => one.name === parent);
  if (!expected) return;
  const { root } = tree;
  await ignoring(ignored, join(root, name), () => inDirectory(join(root, parent), expected, act));
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
