import { closeSync, readFileSync } from 'node:fs';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../files/file-error.ts';
import { type LineVisitor, MAX_LINE_BYTES } from './line-splitter.ts';
import type { FileStamp } from '../files/identity/file-stamp.ts';
import { openForReading } from './open-for-reading.ts';
import type { ReadLinesOptions } from './read-lines.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import { splitArray } from '../edit/split-array.ts';
import { skipSpace } from '../edit/scan-json.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';

const LF = 0x0a;

export interface ArrayFile {
  readonly stamp: FileStamp;
  /** The array is not closed, or something stands behind it. */
  readonly endsEarly: boolean;
}

/**
 * Visits the elements of a file that is one JSON array, as `readLines` visits lines. Needs the whole file in
 * memory, so it reads no file over the limit of one line.
 */
export function readElements(
  path: string,
  visit: LineVisitor,
  options: Pick<ReadLinesOptions, 'maxLineBytes'> = {},
): ArrayFile {
  refuseCompressed(path);
  const { fd, stamp } = openForReading(path);
  const read = (): ArrayFile => {
    if (stamp.size > (options.maxLineBytes ?? MAX_LINE_BYTES)) {
      throw new FileError(path, 'EFBIG', 'cannot read: one JSON array of more than 512 MiB');
    }
    const text = readFileSync(fd);
    const elements = splitArray(text);
    let next = elements.next();
    /** The 1-based line on which an element begins. */
    let number = 1;
    for (let done = 0; !next.done; next = elements.next()) {
      const { offset, length } = next.value;
      number += countLineFeeds(text.subarray(done, offset));
      done = offset;
      const bytes = text.subarray(offset, offset + length);
      visit({ number, offset, length, bytes, terminated: true, oversized: false });
    }
    const end = next.value;
    return { stamp, endsEarly: end === -1 || skipSpace(text, end) < text.length };
  };
  try {
    return releaseAfterSync(read, () => closeSync(fd));
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
}
