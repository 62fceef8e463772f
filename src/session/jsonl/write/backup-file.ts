import { createReadStream } from 'node:fs';
import { link, realpath, stat, unlink } from 'node:fs/promises';
import { createFile } from './create-file.ts';
import { toFileError } from '../files/file-error.ts';
import type { FileStamp } from '../read/read-lines.ts';
import { flush, type Flushed } from '../files/flush.ts';
import { identify, isOneFile, leadToOneFile } from '../files/identity/same-file.ts';
import { lacksLinks } from '../files/system.ts';

/** A file under the name of its backup. */
export interface Backup {
  readonly flushed: Flushed;
  /** False if a run that was interrupted had made it. */
  readonly isNew: boolean;
}

/**
 * Keeps the file that is about to be replaced under another name: a hard link, which costs nothing
 * and is the old file itself; a copy where there are no links.
 * @throws FileError, `EEXIST` if there is something else of this name.
 */
export async function keepBackup(path: string, backup: string): Promise<Backup> {
  try {
    // A link to a symbolic link would lead to the new file.
    const isNew = await linkOrCopy(await realpath(path), backup);
    return { isNew, flushed: await flush([backup]) };
  } catch (error) {
    throw toFileError(error, backup, 'back up');
  }
}

/** Takes a backup away again, unless the file has been replaced: then it is all there is of it. */
export async function removeBackup(
  backup: string,
  { path, stamp }: { readonly path: string; readonly stamp: FileStamp },
): Promise<void> {
  try {
    if (isOneFile(identify(path), stamp)) await unlink(backup);
  } catch (error) {
    throw toFileError(error, backup, 'remove');
  }
}

async function linkOrCopy(path: string, backup: string): Promise<boolean> {
  try {
    await link(path, backup);
    return true;
  } catch (error) {
    const { code } = toFileError(error, backup, 'back up');
    if (lacksLinks(error) || code === 'EXDEV') {
      await copyWhole(path, backup);
      return true;
    }
    if (code !== 'EEXIST') throw error;
    if (!(await leadToOneFile(path, backup))) throw error;
    return false;
  }
}

async function copyWhole(path: string, backup: string): Promise<void> {
  const { mtimeMs } = await stat(path);
  await createFile(backup, createReadStream(path), { like: path, mtimeMs });
}
