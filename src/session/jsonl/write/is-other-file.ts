import { lstat } from 'node:fs/promises';
import { toFileError } from '../files/file-error.ts';
import type { FileStamp } from '../read/read-lines.ts';

/**
 * Whether a name belongs to anything but the given file, a link that leads nowhere included. A
 * second name of the same file is what an interrupted run leaves behind.
 */
export async function isOtherFile(
  path: string,
  file: Pick<FileStamp, 'dev' | 'ino'>,
): Promise<boolean> {
  try {
    const { dev, ino } = await lstat(path);
    return dev !== file.dev || ino !== file.ino;
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return false;
    throw problem;
  }
}
