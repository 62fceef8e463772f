import { closeSync, fsync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isClosed, toFileError } from './file-error.ts';
import { makeDirectories } from './make-directories.ts';
import { releaseAfter } from './release-after.ts';
import { syncDirectorySync } from './sync-calls.ts';
import { openToFlush, system } from './system.ts';

/**
 * Files that are on the disk with their names. Whatever removes or replaces a file asks for them, so
 * that no caller can forget to flush what is then the only copy.
 */
export interface Flushed {
  readonly flushed: readonly string[];
}

/** The state of what relies on no other file. */
export const NOTHING_FLUSHED: Flushed = { flushed: [] };

/**
 * Flushes files or directories, and the directories that hold their names, no matter which run made
 * them: this one, or one that was killed before it could flush them.
 */
export async function flush(paths: readonly string[]): Promise<Flushed> {
  for (const path of new Set([...paths, ...paths.map((one) => dirname(one))])) await sync(path);
  return { flushed: paths };
}

/** Flushes an open file, while the thread does other work. */
export const flushDescriptor = promisify(fsync);

async function sync(path: string): Promise<void> {
  const fd = openToFlush(path);
  if (fd === undefined) return;
  await releaseAfter(
    () => flushDescriptor(fd),
    () => closeSync(fd),
  );
}

/** Makes a rename or a new name in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  if (system.flushesDirectories) await sync(path);
}

/** Makes a directory and those that lead to it, where there are none, and flushes their names. */
export function makeDirectory(path: string, mode = 0o700): void {
  if (makeDirectories(path, mode) !== undefined) flushTrail(path);
}

/**
 * Flushes a directory and every directory that leads to it on its file system, no matter which run made them. One
 * above it that may not be opened belongs to somebody else, and was there before.
 */
export function flushTrail(directory: string): void {
  if (!system.flushesDirectories) return;
  let path = realpathSync(directory);
  const { dev } = statSync(path);
  syncDirectorySync(path);
  for (let above = dirname(path); above !== path; above = dirname(path)) {
    if (statSync(above).dev !== dev) return;
    path = above;
    syncIfAllowed(path);
  }
}

function syncIfAllowed(path: string): void {
  try {
    syncDirectorySync(path);
  } catch (error) {
    const problem = toFileError(error, path, 'flush');
    if (!isClosed(problem)) throw problem;
  }
}
