import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { toFileError } from './file-error.ts';

/**
 * Returns whether a path leads to a file that is there, and neither it nor its directory is a link.
 * @throws FileError if one of them cannot be looked up.
 */
export function isOwnFile(path: string): boolean {
  const [file, folder] = [path, dirname(path)].map(lookUp);
  return file?.isFile() === true && folder?.isDirectory() === true;
}

function lookUp(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw toFileError(error, path, 'look up');
  }
}
