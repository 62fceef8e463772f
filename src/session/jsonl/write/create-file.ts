import { link, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../files/file-error.ts';
import { toUtime } from '../files/identity/file-stamp.ts';
import { keepAccess, keepMode } from '../files/keep-access.ts';
import { fileExists } from '../read/read-lines.ts';
import { releaseAfter, undoAndThrow } from '../files/release-after.ts';
import { makeDirectory, syncDirectory } from '../files/flush.ts';
import { getFactsSync } from '../files/sync-calls.ts';
import { lacksLinks, renameFile } from '../files/system.ts';
import { createTempFile, type TempFile } from '../files/temp-file.ts';
import { claimName, isClaimed } from './claim-name.ts';

export interface CreateOptions {
  readonly signal?: AbortSignal | undefined;
  /** A file whose permissions it gets; it is for its owner only unless given. */
  readonly like?: string | undefined;
  /** Whether it also gets the owner of that one, which it is to replace. */
  readonly isOwnedAlike?: boolean | undefined;
  /** Last change, in milliseconds; now unless given. */
  readonly mtimeMs?: number | undefined;
}

/**
 * Creates a file of the given bytes, mode 0600, with its directory where there is none. The name is
 * new and the file whole, at every moment and after a power cut: a private temporary file beside
 * it, fsync, a link that fails if the name is taken, fsync of the directory.
 *
 * Returns the size in bytes. A chunk need be valid only until the next one is asked for.
 * @throws FileError, `EEXIST` if there is something of this name; then nothing is left behind.
 */
export async function createFile(
  path: string,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { signal, ...options }: CreateOptions = {},
): Promise<number> {
  try {
    if (await fileExists(path)) throw taken(path);
    makeDirectory(dirname(path));
    const temp = await createTempFile(path);
    return await releaseAfter(
      () => fillAndLink(temp, path, chunks, { signal, ...options }),
      () => temp.file.close(),
      () => unlink(temp.path).catch(ignoreMissing),
    );
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toFileError(error, path, 'create');
  }
}

async function fillAndLink(
  temp: TempFile,
  path: string,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  { signal, like, isOwnedAlike = false, mtimeMs }: CreateOptions,
): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    await temp.file.writeFile(chunk);
    size += chunk.length;
  }
  if (like !== undefined) {
    const keep = isOwnedAlike ? keepAccess : keepMode;
    keep(like, getFactsSync(like), { path: temp.path, fd: temp.file.fd });
  }
  if (mtimeMs !== undefined) await temp.file.utimes(toUtime(mtimeMs), toUtime(mtimeMs));
  await temp.file.sync();
  // A name of an open file is only removed on Windows once it is closed.
  await temp.file.close();
  await linkExclusively(temp.path, path);
  await orTakeBack(path, async () => {
    await unlink(temp.path).catch(ignoreMissing);
    await syncDirectory(dirname(path));
  });
  return size;
}

/** Finishes a new file; removes it if that fails, so that a reported failure leaves no file. */
async function orTakeBack(path: string, finish: () => Promise<void>): Promise<void> {
  try {
    await finish();
  } catch (error) {
    await undoAndThrow(error, () => unlink(path));
  }
}

/**
 * Gives a file another name; where there are no hard links, instead of the one it had. There, a claim beside the
 * new name keeps other runs away: an empty file of that name would be left by a run that is killed.
 */
export async function linkExclusively(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    const claim = claimName(to);
    await releaseAfter(
      async () => {
        if (isClaimed(claim, to)) throw taken(to);
        await renameFile(from, to);
      },
      () => unlink(claim.path).catch(ignoreMissing),
    );
  }
}

export function taken(path: string): FileError {
  return new FileError(path, 'EEXIST', 'cannot create: already exists');
}

export function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

/**
 * Takes back a file that this run has made; nothing to do if it is gone.
 * @throws FileError if it cannot be removed.
 */
export async function removeOwnFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    const problem = toFileError(error, path, 'remove');
    if (problem.code !== 'ENOENT') throw problem;
  }
}
