import { lstat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';

/**
 * Makes sure that what is written to `directory` is below `base`; whatever leads to `base` is the
 * user's own business, and so is a directory that is not below it.
 * @throws FileError, `ELINK`, that names a symbolic link on the way.
 */
export async function refuseLink(base: string, directory: string): Promise<void> {
  const [first = '', ...rest] = relative(base, directory).split(sep);
  if (first === '' || first === '..') return;
  let path = base;
  for (const part of [first, ...rest]) {
    path = join(path, part);
    if (await isLink(path)) throw new FileError(path, 'ELINK', 'a symbolic link is at this path');
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem)) return false;
    throw problem;
  }
}
