import { unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { FileError } from '../../../errors.ts';
import { changedError, toFileError } from '../files/file-error.ts';
import { syncDirectory } from '../files/flush.ts';
import { leadToOneFile } from '../files/identity/same-file.ts';
import { listDirectory } from '../files/list-directory.ts';
import { findState } from '../files/sync-calls.ts';
import { renameFile } from '../files/system.ts';
import { findPathBefore, isLeftBehind, toAsidePath } from '../files/temp-file.ts';
import { ignoreMissing, linkExclusively } from './create-file.ts';

/** Milliseconds between two looks at the claim of another run, which lasts no longer than a rename. */
const CLAIM_MS = 25;
const MAX_TRIES = 80;

/** The longest name of a file, in bytes, on every file system in use. */
const LONGEST_NAME = 255;

/**
 * Requires that a file can be set aside: a longer name could not be, and both files would remain.
 * @throws FileError
 */
export function requireMovable(path: string): void {
  if (Buffer.byteLength(basename(toAsidePath(path))) <= LONGEST_NAME) return;
  throw new FileError(path, 'ENAMETOOLONG', 'its name is too long to be moved');
}

/**
 * Removes one of several copies of a file. Renames it, and then checks that another copy is still there: if two runs
 * each remove a copy, the later one finds no other, and gives its own copy the old name back.
 * @throws FileError, `ECHANGED` if it has its old name again.
 */
export async function removeName(
  path: string,
  isElsewhere: (aside: string) => boolean | Promise<boolean>,
): Promise<void> {
  const aside = toAsidePath(path);
  try {
    await renameFile(path, aside);
  } catch (error) {
    // Another run was faster.
    return ignoreMissing(error);
  }
  await orRestoreName(aside, path, async () => {
    if (!(await isElsewhere(aside))) throw changedError(path);
    await unlink(aside).catch(ignoreMissing);
  });
}

/** Gives a file its old name back if the work fails. @throws FileError that names where it is, if that fails. */
export async function orRestoreName(
  aside: string,
  path: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    await restoreName(aside, path);
    throw error;
  }
}

/** Gives a file its old name back. @throws FileError, `EEXIST` if that is taken by now. */
async function restoreName(aside: string, path: string): Promise<void> {
  try {
    if (!(await areOne(aside, path))) await linkUnclaimed(aside, path);
    await unlink(aside).catch(ignoreMissing);
    await syncDirectory(dirname(path));
  } catch (error) {
    throw toFileError(error, aside, `move back to ${path}`);
  }
}

/** Waits a while where another run has claimed the name: without the name, no agent finds the file. */
async function linkUnclaimed(aside: string, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await linkExclusively(aside, path);
    } catch (error) {
      const isFree = findState(path) === undefined;
      const isClaimed = isFree && toFileError(error, path, 'create').code === 'EEXIST';
      if (!isClaimed || tries === MAX_TRIES) throw error;
    }
    await setTimeout(CLAIM_MS);
  }
}

/**
 * Gives files of a directory their names back that killed runs have taken aside.
 * @throws FileError, `EEXIST` if such a name is taken by now.
 */
export async function restoreLeftNames(directory: string, now: number): Promise<void> {
  for (const path of listDirectory(directory)) {
    const before = findPathBefore(path);
    if (before !== undefined && (await isLeftBehind(path, now))) await restoreName(path, before);
  }
}

/** Returns whether both are names of one file: a run was ended between. */
export async function areOne(one: string, other: string): Promise<boolean> {
  try {
    return await leadToOneFile(one, other);
  } catch (error) {
    ignoreMissing(error);
    return false;
  }
}
