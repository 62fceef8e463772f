import { closeSync, readFileSync } from 'node:fs';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { openForReading } from '../../session/jsonl/read/open-for-reading.ts';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';

/**
 * All bytes of a file that no one has named, but that was found: a pipe of its name would be waited
 * for without end. One that is larger than `maxBytes` is not read.
 * @throws FileError if it cannot be read, is not a regular file, or is too large.
 */
export function readRegularFile(path: string, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  const { fd, stamp } = openForReading(path);
  const read = (): Buffer => {
    if (stamp.size <= maxBytes) return readFileSync(fd);
    throw new FileError(path, 'EFBIG', `cannot read: is larger than ${maxBytes} bytes`);
  };
  try {
    return releaseAfterSync(read, () => closeSync(fd));
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
