import { giveBackChunk, takeChunkToRead } from '../read/chunks/chunk-pool.ts';
import { closeSync, readSync } from 'node:fs';
import { changedError, toFileError } from '../files/file-error.ts';
import { type Line, type LineMeasure, LineSplitter } from '../read/line-splitter.ts';
import { measureLine } from '../read/measure-line.ts';
import { type LinePart, type LineTransform, transformLine } from './line-transform.ts';
import { actAsPlanned, type FileStamp, isSameState } from '../files/identity/file-stamp.ts';
import { openForReading, readStamp } from '../read/open-for-reading.ts';
import { OutputBuffer } from './output-buffer.ts';
import { readElements } from '../read/read-elements.ts';
import { getStampSync } from '../files/sync-calls.ts';
import { takeTurn } from '../read/chunks/take-turn.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';
import { countBytes } from './count-bytes.ts';

export interface TransformOptions {
  /** The state in which the file was planned. */
  readonly planned: FileStamp;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The bytes of a file after a transform of its lines, in chunks. Only reads.
 * @throws FileError if it cannot be read, or is not as it was planned, also at the end.
 */
export async function* transformFile(
  path: string,
  transform: LineTransform,
  options: TransformOptions,
): AsyncGenerator<Buffer> {
  refuseCompressed(path);
  const { fd, stamp } = openForReading(path);
  try {
    try {
      requireState(stamp, path, options.planned);
      yield* transformLines(fd, path, transform, options);
      requireState(readStamp(fd, path), path, options.planned);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toFileError(error, path, 'read');
  }
}

/** The size of all that, in bytes. @throws FileError, as `transformFile` does. */
export function measureTransformed(
  path: string,
  transform: LineTransform,
  options: TransformOptions,
): Promise<number> {
  return countBytes(transformFile(path, transform, options));
}

/** Transforms the elements of a file that is one JSON array; the transform ends the lines. */
export async function* transformElements(
  path: string,
  transform: LineTransform,
  { planned }: TransformOptions,
): AsyncGenerator<Buffer> {
  const { chunks, output } = collectOutput();
  try {
    const put = (line: Line): void => {
      for (const piece of transform(line) ?? []) output.add(piece);
    };
    requireState(readElements(path, put).stamp, path, planned);
    requireState(getStampSync(path), path, planned);
    output.flush();
    yield* chunks;
  } finally {
    output.close();
  }
}

async function* transformLines(
  fd: number,
  path: string,
  transform: LineTransform,
  { signal, planned }: TransformOptions,
): AsyncGenerator<Buffer> {
  const { chunks, output } = collectOutput();
  const chunk = takeChunkToRead();
  const transformPlanned = (line: Line): Iterable<LinePart> | undefined =>
    actAsPlanned(
      () => transform(line),
      () => isSameState(readStamp(fd, path), planned),
      () => changedError(path),
    );
  let position = 0;
  const put = (line: Line): void => transformLine(output, path, line, transformPlanned);
  const measure: LineMeasure = (most) => measureLine(fd, position, most);
  const splitter = new LineSplitter(put, { measure });
  try {
    for (;;) {
      const count = readSync(fd, chunk, 0, chunk.length, position);
      if (count === 0) break;
      position += count;
      splitter.push(chunk.subarray(0, count));
      yield* chunks.splice(0);
      await takeTurn(count, signal);
    }
    splitter.end();
    output.flush();
    yield* chunks;
  } finally {
    output.close();
    giveBackChunk(chunk);
  }
}

/** Collects the bytes written to the buffer, in chunks that remain valid. */
function collectOutput(): { chunks: Buffer[]; output: OutputBuffer } {
  const chunks: Buffer[] = [];
  return { chunks, output: new OutputBuffer((bytes) => chunks.push(Buffer.from(bytes))) };
}

function requireState(stamp: FileStamp, path: string, planned: FileStamp): void {
  if (!isSameState(stamp, planned)) throw changedError(path);
}
