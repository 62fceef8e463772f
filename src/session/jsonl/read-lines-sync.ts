import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { FileError } from '../../errors.ts';
import { toFileError } from './file-error.ts';
import { LineSplitter, type LineVisitor } from './line-splitter.ts';
import type { FileStamp } from './read-lines.ts';
import { getStampSync } from './sync-calls.ts';

const CHUNK_BYTES = 256 * 1024;

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
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(fd).isFile()) {
        throw new FileError(path, 'EINVAL', 'cannot read: is no regular file');
      }
      return readAll(fd, new LineSplitter(visit), isDone);
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
function readAll(fd: number, splitter: LineSplitter, isDone: () => boolean): FileStamp {
  const stamp = getStampSync(fd);
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
