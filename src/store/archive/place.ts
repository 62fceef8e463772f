import { chmod, lstat, mkdir, utimes } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/file-error.ts';
import { syncDirectory } from '../../session/jsonl/rewrite.ts';
import type { Manifest, ManifestItem } from './manifest.ts';

/** Where a session of an archive is to be put. */
export interface Place {
  /** The store; whatever leads to it is the user's own business. */
  readonly base: string;
  /** Of the session file, below `base`. */
  readonly path: string;
}

/** Where a session came from; or the same place in another store. */
export function findPlace({ path, store }: Manifest, otherStore: string | undefined): Place {
  if (otherStore === undefined) return { base: store, path };
  const base = resolve(otherStore);
  return { base, path: join(base, relative(store, path)) };
}

/**
 * Makes the directories from the base of a place down to `directory`, private ones. Returns those
 * that were missing, outermost first.
 * @throws FileError when a link or a file is in the way: nothing is written through a link.
 */
export async function makeDirectories(base: string, directory: string): Promise<readonly string[]> {
  const made: string[] = [];
  try {
    await mkdir(base, { recursive: true, mode: 0o700 });
    let path = base;
    for (const part of relative(base, directory).split(/[/\\]/)) {
      if (part === '') continue;
      path = join(path, part);
      if (await makeDirectory(path)) made.push(path);
    }
    for (const one of made) await syncDirectory(dirname(one));
    return made;
  } catch (error) {
    throw toFileError(error, directory, 'make the directory');
  }
}

async function makeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const problem = toFileError(error, path, 'make the directory');
    if (problem.code !== 'EEXIST') throw problem;
    if ((await lstat(path)).isDirectory()) return false;
    throw new FileError(path, 'ENOTDIR', 'cannot restore: a link or a file is in the way');
  }
}

/** Gives a file or directory the mode and mtime that it had. */
export async function setFacts(
  path: string,
  { mode, mtimeMs }: Pick<ManifestItem, 'mode' | 'mtimeMs'>,
): Promise<void> {
  await chmod(path, mode);
  // Node cuts off below the microsecond, and a double may lie just below it.
  const seconds = mtimeMs / 1000 + 3e-7;
  await utimes(path, seconds, seconds);
}
