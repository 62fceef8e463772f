import { createHash } from 'node:crypto';
import { giveBackChunk, takeChunk } from './chunks/chunk-pool.ts';
import { closeSync, readSync } from 'node:fs';
import { toFileError } from '../files/file-error.ts';
import { type LineMeasure, LineSplitter, type LineVisitor } from './line-splitter.ts';
import type { KnownFile } from '../files/identity/known-file.ts';
import { openForReading, type OpenFile } from './open-for-reading.ts';
import { measureLine } from './measure-line.ts';
import { MemoryWatch } from './memory-watch.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';

/**
 * `readLines` for callers that cannot wait; undefined where there is no file. `isDone` is asked
 * after each chunk: true ends the reading early.
 * @throws FileError if the file cannot be read, or is not a regular file.
 */
export function readLinesSync(
  path: string,
  visit: LineVisitor,
  isDone: () => boolean = () => false,
): KnownFile | undefined {
  try {
    refuseCompressed(path);
    const file = openForReading(path);
    const chunk = takeChunk();
    try {
      return readAll(file, chunk, { visit, memory: new MemoryWatch(path, 'lines'), isDone });
    } finally {
      giveBackChunk(chunk);
      closeSync(file.fd);
    }
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT') return undefined;
    throw problem;
  }
}

interface Readers {
  readonly visit: LineVisitor;
  readonly memory: MemoryWatch;
  readonly isDone: () => boolean;
}

/** The state up to the last byte that was visited: what comes later is new to the caller. */
function readAll(
  { fd, stamp }: OpenFile,
  chunk: Buffer,
  { visit, memory, isDone }: Readers,
): KnownFile {
  const hash = createHash('sha256');
  let at = 0;
  const measure: LineMeasure = (most) => measureLine(fd, at, most);
  const splitter = new LineSplitter(visit, { measure });
  while (at < stamp.size && !isDone()) {
    const count = readSync(fd, chunk, 0, Math.min(chunk.length, stamp.size - at), at);
    if (count === 0) break;
    at += count;
    hash.update(chunk.subarray(0, count));
    splitter.push(chunk.subarray(0, count));
    memory.add(count);
  }
  if (!isDone()) splitter.end();
  return { ...stamp, hash };
}
