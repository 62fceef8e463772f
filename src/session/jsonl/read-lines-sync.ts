import { CHUNK_BYTES } from './chunk-size.ts';
import { closeSync, readSync } from 'node:fs';
import { toFileError } from './file-error.ts';
import { LineSplitter, type LineVisitor } from './line-splitter.ts';
import { type FileStamp, openForReading, readStamp } from './open-for-reading.ts';

/**
 * `readLines` for callers that cannot wait; undefined where there is no file. `isDone` is asked
 * after each chunk: true ends the reading early.
 * @throws FileError if the file cannot be read, or is no regular file.
 */
export function readLinesSync(
  path: string,
  visit: LineVisitor,
  isDone: () => boolean = () => false,
): FileStamp | undefined {
  try {
    const fd = openForReading(path);
    try {
      return readAll(fd, readStamp(fd, path), new LineSplitter(visit), isDone);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT') return undefined;
    throw problem;
  }
}

/** The state up to the last byte that was visited: what comes later is new to the caller. */
function readAll(
  fd: number,
  stamp: FileStamp,
  splitter: LineSplitter,
  isDone: () => boolean,
): FileStamp {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; at < stamp.size && !isDone();) {
    const count = readSync(fd, buffer, 0, Math.min(CHUNK_BYTES, stamp.size - at), at);
    if (count === 0) break;
    splitter.push(buffer.subarray(0, count));
    at += count;
  }
  if (!isDone()) splitter.end();
  return stamp;
}
