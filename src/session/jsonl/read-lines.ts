import { constants, fstatSync } from 'node:fs';
import { access, open, type FileHandle } from 'node:fs/promises';
import { FileError } from '../../errors.ts';
import { toFileError } from './file-error.ts';
import { LineSplitter, type LineVisitor, MAX_LINE_BYTES } from './line-splitter.ts';
import { splitArray } from './split-array.ts';

/** What tells one state of a file from another. Times in milliseconds, `size` in bytes. */
export interface FileStamp {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
}

export interface ReadLinesOptions {
  readonly signal?: AbortSignal | undefined;
  readonly maxLineBytes?: number | undefined;
  /** Asked after each chunk: true ends the reading early. */
  readonly isDone?: () => boolean;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a file once, front to back, and visits every line. Opens it read-only and never writes.
 *
 * Returns the state of the file when it was opened; lines appended meanwhile are visited too.
 * @throws FileError if it cannot be opened or read, or is no regular file.
 */
export async function readLines(
  path: string,
  visit: LineVisitor,
  options: ReadLinesOptions = {},
): Promise<FileStamp> {
  const file = await openForReading(path);
  try {
    const stamp = readStamp(file, path);
    await readChunks(file, new LineSplitter(visit, options.maxLineBytes), options);
    return stamp;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw toFileError(error, path, 'read');
  } finally {
    await file.close();
  }
}

/** Whether something is there that a path leads to; false also where we may not look. */
export async function fileExists(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Like `readLines`, for a file that is one JSON array: visits its elements. Needs the whole file in
 * memory, so it reads no file over the limit of one line.
 */
export async function readElements(
  path: string,
  visit: LineVisitor,
  options: ReadLinesOptions = {},
): Promise<FileStamp> {
  const file = await openForReading(path);
  try {
    const stamp = readStamp(file, path);
    if (stamp.size > (options.maxLineBytes ?? MAX_LINE_BYTES)) {
      throw new FileError(path, 'EFBIG', 'cannot read: one JSON array of more than 512 MiB');
    }
    const text = await file.readFile();
    for (const { offset, length, line } of splitArray(text)) {
      const bytes = text.subarray(offset, offset + length);
      visit({ number: line, offset, length, bytes, terminated: true, oversized: false });
    }
    return stamp;
  } catch (error) {
    throw toFileError(error, path, 'read');
  } finally {
    await file.close();
  }
}

export async function openForReading(path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

export function readStamp(file: FileHandle, path: string): FileStamp {
  const stats = fstatSync(file.fd);
  if (stats.isDirectory()) throw new FileError(path, 'EISDIR', 'cannot read: is a directory');
  if (!stats.isFile()) throw new FileError(path, 'EINVAL', 'cannot read: is no regular file');
  const { dev, ino, size, mtimeMs, mode } = stats;
  return { dev, ino, size, mtimeMs, mode };
}

async function readChunks(
  file: FileHandle,
  splitter: LineSplitter,
  options: ReadLinesOptions,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (;;) {
    options.signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    splitter.push(buffer.subarray(0, bytesRead));
    if (options.isDone?.()) return;
  }
  splitter.end();
}
