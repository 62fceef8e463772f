import { existsSync } from 'node:fs';
import { giveBackChunk, takeChunkToRead } from './chunks/chunk-pool.ts';
import { toFileError } from '../files/file-error.ts';
import { type LineSkimmer, LineSplitter, type LineVisitor } from './line-splitter.ts';
import type { FileStamp } from '../files/identity/file-stamp.ts';
import type { PrefixSum } from './spans/prefix-sum.ts';
import { releaseAfter } from '../files/release-after.ts';
import { takeTurn } from './chunks/take-turn.ts';
import { MemoryWatch } from './memory-watch.ts';
import { openText, type TextSource } from './text-source.ts';

export type { FileStamp } from '../files/identity/file-stamp.ts';

export interface ReadLinesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxLineBytes?: number | undefined;
  /** Is asked after each chunk: true ends the reading early. */
  readonly isDone?: () => boolean;
  /** Sees lines first; `visit` sees those that it leaves. */
  readonly skim?: LineSkimmer;
  /** Gets all that is read. */
  readonly sum?: PrefixSum | undefined;
}

/**
 * Reads a file once, front to back, and visits every line; of a compressed one those of its text,
 * where offsets are those in the text, too. Opens it read-only and never writes.
 *
 * Returns the state of the file when it was opened; lines appended meanwhile are visited too.
 * @throws FileError if it cannot be opened or read, or is not a regular file.
 */
export async function readLines(
  path: string,
  visit: LineVisitor,
  options: ReadLinesOptions = {},
): Promise<FileStamp> {
  try {
    const source = await openText(path);
    const read = async (): Promise<FileStamp> => {
      options.signal?.throwIfAborted();
      const { maxLineBytes, skim } = options;
      const splitter = new LineSplitter(visit, { maxLineBytes, skim, measure: source.measure });
      await readChunks(source, splitter, new MemoryWatch(path, 'lines'), options);
      return source.stamp;
    };
    return await releaseAfter(read, () => source.close());
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toFileError(error, path, 'read');
  }
}

/** Enough for the first line of most sessions. */
const FIRST_BYTES = 16 * 1024;

/**
 * Returns whether something is there that a path leads to; false also where we may not look. The thread pool would
 * take ten times as long.
 */
export function fileExists(path: string): Promise<boolean> {
  return Promise.resolve(existsSync(path));
}

async function readChunks(
  source: TextSource,
  splitter: LineSplitter,
  memory: MemoryWatch,
  options: ReadLinesOptions,
): Promise<void> {
  const chunk = takeChunkToRead();
  /** The beginning of a line at the beginning of the chunk. */
  let begun = 0;
  /** How much is read next: at first little, if only the beginning of the file may be needed. */
  let most = options.isDone ? FIRST_BYTES : chunk.length;
  try {
    for (;;) {
      const count = source.read(chunk.subarray(0, begun + most), begun);
      most *= 2;
      if (count === 0) break;
      const end = begun + count;
      options.sum?.add(chunk.subarray(begun, end));
      begun = splitter.pushWhole(chunk.subarray(0, end));
      chunk.copyWithin(0, end - begun, end);
      if (options.isDone?.()) return;
      memory.add(count);
      const turn = takeTurn(count, options.signal);
      if (turn) await turn;
    }
    splitter.push(chunk.subarray(0, begun));
    splitter.end();
  } finally {
    giveBackChunk(chunk);
  }
}
