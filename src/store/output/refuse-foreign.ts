import { FileError } from '../../errors.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import { lookUp } from '../files/stat-file.ts';
import { readEnd, readStart } from '../files/read-regular-file.ts';

/** The part of a file that shows who has made it. */
const READERS = { start: readStart, end: readEnd } as const;

/**
 * Makes sure that what stands in the place of a file with a name that others give, too, is none of theirs. `isOurs`
 * judges the part of it that shows who has made it.
 * @throws FileError, `EEXIST`, for a file that somebody else has made, and for what is not a file.
 */
export async function refuseForeign(
  path: string,
  part: keyof typeof READERS,
  isOurs: (text: string) => boolean,
): Promise<void> {
  const stats = await orFileError(() => lookUp(path));
  // A write to a path that cannot be looked up fails for the same reason.
  if (!stats || stats instanceof FileError) return;
  if (stats.isFile() && (stats.size === 0 || isOurs(await READERS[part](path)))) return;
  const message = 'cannot write: coppice has not made what is at this path; use another directory';
  throw new FileError(path, 'EEXIST', message);
}
