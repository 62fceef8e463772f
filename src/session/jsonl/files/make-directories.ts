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
    // POSIX says of what is below a file that it is; Windows says that it is missing.
    if (isFile(above)) throw notDirectory(path);
    const first = makeDirectories(above, mode);
    return makeOne(path, mode) ? (first ?? path) : first;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** The error of POSIX for a file where a directory is needed. */
function notDirectory(path: string): Error {
  const code = 'ENOTDIR';
  return Object.assign(new Error(`${code}: not a directory, mkdir '${path}'`), { code });
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
    if (isTaken && isFile(path)) throw notDirectory(path);
    // Another run has removed it since.
    if (isTaken && !lstatSync(path, { throwIfNoEntry: false })) return makeOne(path, mode);
    throw error;
  }
}
