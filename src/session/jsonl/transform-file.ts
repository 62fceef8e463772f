import type { FileHandle } from 'node:fs/promises';
import { FileError } from '../../errors.ts';
import { toFileError } from './file-error.ts';
import { LineOutput } from './line-output.ts';
import { LineSplitter } from './line-splitter.ts';
import { type FileStamp, openForReading, readElements, readStamp } from './read-lines.ts';
import { isSameState, type LineTransform } from './rewrite.ts';

export interface TransformOptions {
  /** The state in which the file was planned. */
  readonly planned: FileStamp;
  readonly signal?: AbortSignal | undefined;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * The bytes of a file after a transform of its lines, in chunks. Only reads.
 * @throws FileError if it cannot be read, or is not as it was planned, also at the end.
 */
export async function* transformFile(
  path: string,
  transform: LineTransform,
  options: TransformOptions,
): AsyncGenerator<Buffer> {
  const file = await openForReading(path);
  try {
    checkState(file, path, options.planned);
    yield* transformLines(file, path, transform, options);
    checkState(file, path, options.planned);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toFileError(error, path, 'read');
  } finally {
    await file.close();
  }
}

/** The same for the elements of a file that is one JSON array; the transform ends the lines. */
export async function* transformElements(
  path: string,
  transform: LineTransform,
  { planned }: TransformOptions,
): AsyncGenerator<Buffer> {
  const output: Buffer[] = [];
  const stamp = await readElements(path, (line) => output.push(...copyAll(transform(line) ?? [])));
  requireState(stamp, path, planned);
  yield* output;
}

async function* transformLines(
  file: FileHandle,
  path: string,
  transform: LineTransform,
  { signal }: TransformOptions,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const output = new LineOutput(buffer);
  const splitter = new LineSplitter((line) => {
    if (line.oversized) {
      throw new FileError(path, 'EFBIG', `has a line too long to copy: line ${line.number}`);
    }
    output.put(line, transform(line));
  });
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    splitter.push(buffer.subarray(0, bytesRead));
    yield output.take();
  }
  splitter.end();
  yield output.take();
}

/** Parts are views of what is read only once more. */
function copyAll(parts: readonly Buffer[]): readonly Buffer[] {
  return parts.length === 0 ? [] : [Buffer.concat(parts)];
}

function checkState(file: FileHandle, path: string, planned: FileStamp): void {
  requireState(readStamp(file, path), path, planned);
}

function requireState(stamp: FileStamp, path: string, planned: FileStamp): void {
  if (!isSameState(stamp, planned))
    throw new FileError(path, 'ECHANGED', 'changed since it was read: left as it is');
}
