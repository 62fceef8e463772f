import { closeSync, readFileSync } from 'node:fs';
import { FileError } from '../../errors.ts';
import { toFileError } from './file-error.ts';
import { type LineVisitor, MAX_LINE_BYTES } from './line-splitter.ts';
import type { FileStamp } from './file-stamp.ts';
import { openForReading } from './open-for-reading.ts';
import type { ReadLinesOptions } from './read-lines.ts';
import { releaseAfterSync } from './release-after.ts';
import { splitArray } from './split-array.ts';

/**
 * Like `readLines`, for a file that is one JSON array: visits its elements. Needs the whole file in
 * memory, so it reads no file over the limit of one line.
 */
export function readElements(
  path: string,
  visit: LineVisitor,
  options: Pick<ReadLinesOptions, 'maxLineBytes'> = {},
): FileStamp {
  const { fd, stamp } = openForReading(path);
  const read = (): FileStamp => {
    if (stamp.size > (options.maxLineBytes ?? MAX_LINE_BYTES)) {
      throw new FileError(path, 'EFBIG', 'cannot read: one JSON array of more than 512 MiB');
    }
    const text = readFileSync(fd);
    for (const { offset, length, line } of splitArray(text)) {
      const bytes = text.subarray(offset, offset + length);
      visit({ number: line, offset, length, bytes, terminated: true, oversized: false });
    }
    return stamp;
  };
  try {
    return releaseAfterSync(read, () => closeSync(fd));
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
