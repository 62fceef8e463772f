import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { readdir, rmdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ignoreMissing, linkExclusively, taken } from './create-file.ts';
import { changedError, toFileError } from '../files/file-error.ts';
import { flush, flushTrail, makeDirectory, syncDirectory } from '../files/flush.ts';
import { makeDirectories } from '../files/make-directories.ts';
import { type FileStamp, isSameState } from '../files/identity/file-stamp.ts';
import { releaseAfter } from '../files/release-after.ts';
import { findState, getStampSync, readRangeSync } from '../files/sync-calls.ts';
import { fileExists } from '../read/read-lines.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';
import { type FileId, hasNumber, isOneFile } from '../files/identity/same-file.ts';
import { refuseLastLink, renameFile } from '../files/system.ts';
import { areOne, orRestoreName, removeName } from './set-aside.ts';

/**
 * Makes the directory that a file is to move to, like the old one; its name is on the disk then, also where a run
 * made it that was killed.
 * @throws FileError
 */
export async function prepareMove(from: string, to: string): Promise<void> {
  try {
    const { mode } = await stat(dirname(from));
    makeDirectories(dirname(to), mode & 0o777);
    flushTrail(dirname(to));
  } catch (error) {
    throw toFileError(error, to, `move to ${to}`);
  }
}

/**
 * Gives a file another name in another directory, which is made, like the old one, if it is not
 * there. The file has one of its names at every moment, and both if the machine stops between: then
 * they lead to the same file. The old name is given up only if the new one still is there after that, however many
 * runs move it to and fro.
 * @throws FileError, `EEXIST` if the new name is taken; the file then keeps its old one. `ECHANGED` if another
 * program has taken the new one away or put a file of its own there.
 */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    refuseCompressed(from);
    await makeDirectoryLike(dirname(from), dirname(to));
    if (await isOneName(from, to)) return await respell(from, to);
    if (!(await areOne(from, to))) await linkExclusively(from, to);
    await flush([to]);
    flushTrail(dirname(to));
    await removeName(from, (aside) => areOne(aside, to));
    // Another run may have removed the old directory, which is empty now.
    await syncDirectory(dirname(from)).catch(ignoreMissing);
  } catch (error) {
    throw toFileError(error, to, `move to ${to}`);
  }
}

/** A file that begins with all of another one. */
export interface Match extends FileId {
  readonly path: string;
  /** How many bytes the other one has. */
  readonly bytes: number;
}

/**
 * Returns the match, if a plain file, which is not a link, begins with all bytes of another one, and is certainly
 * not that one: on another file system, it may be the same by another mount.
 * @throws FileError if the file cannot be read.
 */
export async function matchBeginning(
  path: string,
  chunks: AsyncIterable<Buffer>,
  source: FileId,
): Promise<Match | undefined> {
  try {
    const { O_RDONLY, O_NONBLOCK } = constants;
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | refuseLastLink(path));
    return await releaseAfter(
      async () => {
        const held = getStampSync(fd);
        const bytes = await measureHeld(fd, held, chunks, source);
        return bytes === undefined ? undefined : { path, bytes, dev: held.dev, ino: held.ino };
      },
      () => closeSync(fd),
    );
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ELOOP') return undefined;
    throw problem;
  }
}

async function measureHeld(
  fd: number,
  held: FileId,
  chunks: AsyncIterable<Buffer>,
  source: FileId,
): Promise<number | undefined> {
  if (!fstatSync(fd).isFile()) return undefined;
  if (held.dev !== source.dev || !hasNumber(held) || isOneFile(held, source)) return undefined;
  let at = 0;
  for await (const chunk of chunks) {
    if (!readRangeSync(fd, at, at + chunk.length).equals(chunk)) return undefined;
    at += chunk.length;
  }
  return at;
}

/**
 * Removes a file all of which is in another one, or keeps it as a backup, if both are still as they were planned.
 * @throws FileError, `ECHANGED` if one is not.
 */
export async function removeMatched(
  from: string,
  match: Match,
  planned: FileStamp,
  backup?: string,
): Promise<void> {
  const to = match.path;
  const isAsPlanned = (kept: string): boolean => {
    const { dev, ino, size, mtimeMs } = getStampSync(kept);
    const isSame = isOneFile({ dev, ino }, planned) && size === planned.size;
    return isSame && mtimeMs === planned.mtimeMs && isThere(match);
  };
  try {
    await flush([to]);
    flushTrail(dirname(to));
    if (!isSameState(getStampSync(from), planned)) throw changedError(from);
    if (backup === undefined) await removeName(from, isAsPlanned);
    else {
      await moveFile(from, backup);
      await orRestoreName(backup, from, async () => {
        if (!isAsPlanned(backup)) throw changedError(from);
      });
    }
    await syncDirectory(dirname(from)).catch(ignoreMissing);
  } catch (error) {
    throw toFileError(error, from, `move to ${to}`);
  }
}

/** Returns whether it is still there, and no shorter. */
function isThere({ path, bytes, ...file }: Match): boolean {
  const found = findState(path);
  return found !== undefined && isOneFile(found, file) && found.size >= bytes;
}

/**
 * Gives a directory another name in another directory, which is made, like the old one, if it is not there. Takes
 * the place of an empty directory.
 * @throws FileError if anything else has the new name; the directory then keeps its old one.
 */
export async function moveDirectory(from: string, to: string): Promise<void> {
  try {
    await makeDirectoryLike(dirname(from), dirname(to));
    if (await areOne(dirname(from), dirname(to))) return;
    await rmdir(to).catch(ignoreMissing);
    // Windows takes a file for no directory at all, and then lets one take its place.
    if (await fileExists(to)) throw taken(to);
    await renameFile(from, to);
    flushTrail(dirname(to));
    await syncDirectory(dirname(from));
  } catch (error) {
    throw toFileError(error, to, `move to ${to}`);
  }
}

async function makeDirectoryLike(other: string, directory: string): Promise<void> {
  const { mode } = await stat(other);
  makeDirectory(directory, mode & 0o777);
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
