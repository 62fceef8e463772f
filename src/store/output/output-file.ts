import { chmod, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import { readOpening } from '../../session/read/read-opening.ts';
import { isThere } from '../files/stat-file.ts';
import { isDeviceOrOpenFile } from './device-paths.ts';
import { attempt } from '../files/attempt.ts';
import { OutputDirectory } from './output-directory.ts';

/** A file that a report may be written to. */
export interface OutputFile {
  /** Absolute; where a link leads. */
  readonly path: string;
  /** Permission bits of the file that is there. */
  readonly mode: number | undefined;
}

const NOT_A_FILE = 'not an ordinary file; name another, or - for standard output';

/**
 * Looks up a file before it is replaced by a report.
 * @throws FileError for what is not an ordinary file, and for sessions.
 */
export async function findOutputFile(path: string): Promise<OutputFile> {
  if (isDeviceOrOpenFile(path)) throw new FileError(path, 'not-a-file', NOT_A_FILE);
  if (!(await attempt(path, () => isThere(path)))) return { path, mode: undefined };
  const real = await attempt(path, () => realpath(path));
  const stats = await attempt(path, () => stat(real));
  if (!stats.isFile()) {
    throw new FileError(path, 'not-a-file', NOT_A_FILE);
  }
  if ((await readOpening(real)).kind === 'session') {
    throw new FileError(path, 'is-a-session', 'is a session; name another file');
  }
  return { path: real, mode: stats.mode & 0o777 };
}

/**
 * Writes a report: at every moment the file is wholly the old one or wholly the new one. A new file
 * is for its owner only, an old one keeps its mode.
 * @throws FileError with the cause.
 */
export async function writeOutputFile(
  { path, mode }: OutputFile,
  chunks: Iterable<string>,
  now: number,
): Promise<void> {
  await new OutputDirectory(dirname(path), now).write(basename(path), chunks);
  if (mode !== undefined) await attempt(path, () => chmod(path, mode));
}
