import type { Stats } from 'node:fs';
import { lstat, readdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ignoreMissing, linkExclusively } from './create-file.ts';
import { toFileError } from '../files/file-error.ts';
import { flush, flushTrail, makeDirectory, syncDirectory } from '../files/flush.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';
import { leadToOneFile } from '../files/identity/same-file.ts';
import { renameFile } from '../files/system.ts';

/** A sidecar that moves along with a file, if it is of this kind. */
interface Sidecar {
  readonly name: string;
  readonly kind: 'directory' | 'file';
}

/**
 * Gives a file another name in another directory, which is made, like the old one, if it is not
 * there. The file has one of its names at every moment, and both if the machine stops between: then
 * they lead to the same file.
 *
 * Its sidecars move along, before the old name is removed.
 * @throws FileError, `EEXIST` if the new name is taken; the file then keeps its old one.
 */
export async function moveFile(
  from: string,
  to: string,
  sidecars: readonly Sidecar[] = [],
): Promise<void> {
  try {
    refuseCompressed(from);
    const { mode } = await stat(dirname(from));
    makeDirectory(dirname(to), mode & 0o777);
    if (await isOneName(from, to)) return await respell(from, to);
    if (!(await areOne(from, to))) await linkExclusively(from, to);
    for (const { name, kind } of sidecars)
      await moveIfThere(join(dirname(from), name), join(dirname(to), name), kind);
    await flush([to]);
    flushTrail(dirname(to));
    // Another program may have put a file of its own there meanwhile.
    if (await areOne(from, to)) await unlink(from).catch(ignoreMissing);
    // Another run may have removed the old directory, which is empty now.
    await syncDirectory(dirname(from)).catch(ignoreMissing);
  } catch (error) {
    throw toFileError(error, to, 'move here');
  }
}

/**
 * Returns whether two paths are one name of one file: through a link to its directory, or where names that
 * differ only in case, or in how an accent is written, are one (macOS, Windows).
 */
async function isOneName(one: string, other: string): Promise<boolean> {
  if (!(await areOne(one, other)) || !(await areOne(dirname(one), dirname(other)))) return false;
  const [name, spelled] = [basename(one), basename(other)];
  if (name === spelled) return true;
  const names = await readdir(dirname(one));
  return !names.includes(name) || !names.includes(spelled);
}

/** The file keeps its one name, in another spelling. */
async function respell(from: string, to: string): Promise<void> {
  if (basename(from) !== basename(to)) await renameFile(from, to);
  await flush([to]);
}

/** Does not move the file if its new name is taken. */
async function moveIfThere(from: string, to: string, kind: Sidecar['kind']): Promise<void> {
  const stats = await lstatIfThere(from);
  const isOther = kind === 'directory' ? stats?.isFile() : stats?.isDirectory();
  if (isOther === true || (await lstatIfThere(to))) return;
  await renameFile(from, to).catch(ignoreMissing);
}

async function lstatIfThere(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

/** Returns whether both are names of one file: a move was interrupted. */
async function areOne(one: string, other: string): Promise<boolean> {
  try {
    return await leadToOneFile(one, other);
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}
