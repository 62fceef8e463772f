import { closeSync, readFileSync } from 'node:fs';
import { toFileError } from '../session/jsonl/file-error.ts';
import { openForReading } from '../session/jsonl/open-for-reading.ts';
import { releaseAfterSync } from '../session/jsonl/release-after.ts';

/**
 * All bytes of a file that nobody has named, but that was found: a pipe of its name would be waited
 * for without end.
 * @throws FileError if it cannot be read, or is no regular file.
 */
export function readRegularFile(path: string): Buffer {
  const { fd } = openForReading(path);
  try {
    return releaseAfterSync(
      () => readFileSync(fd),
      () => closeSync(fd),
    );
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
