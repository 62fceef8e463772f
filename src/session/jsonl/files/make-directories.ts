import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toFileError } from './file-error.ts';

/**
 * Makes a directory and those that lead to it, where there are none, and returns the first that it made; undefined
 * if all were there. Node's own `recursive` never ends where the kernel refuses one of them as missing, as
 * below `/proc`.
 * @throws the error of the file system.
 */
export function makeDirectories(path: string, mode = 0o700): string | undefined {
  try {
    return makeOne(path, mode) ? path : undefined;
  } catch (error) {
    const above = dirname(path);
    if (toFileError(error, path, 'create').code !== 'ENOENT' || above === path) throw error;
    refuseFile(above, path);
    const first = makeDirectories(above, mode);
    return makeOne(path, mode) ? (first ?? path) : first;
  }
}

/** Says of what is below a file, as POSIX does, that it is: Windows says that it is missing. */
function refuseFile(above: string, path: string): void {
  const isFile = statSync(above, { throwIfNoEntry: false })?.isDirectory() === false;
  if (!isFile) return;
  const code = 'ENOTDIR';
  throw Object.assign(new Error(`${code}: not a directory, mkdir '${path}'`), { code });
}

/** Returns whether there was none. */
function makeOne(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    // Systems give other reasons than that it exists, too.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
    const isTaken = toFileError(error, path, 'create').code === 'EEXIST';
    // Another run has removed it since.
    if (isTaken && !lstatSync(path, { throwIfNoEntry: false })) return makeOne(path, mode);
    throw error;
  }
}
