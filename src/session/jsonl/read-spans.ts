import { type FileHandle, open } from 'node:fs/promises';
import { FileError } from '../../errors.ts';
import { toFileError } from './file-error.ts';

/** A stretch of a file, in bytes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Reads single lines of a file again, by where they are. */
export interface SpanReader {
  /** @throws FileError if it cannot be read, or the file has become shorter. */
  read(span: Span): Promise<Buffer>;
  close(): Promise<void>;
}

/**
 * Opens a file, read-only, for reading what an index says is in it.
 * @throws FileError if it cannot be opened.
 */
export async function openSpans(path: string): Promise<SpanReader> {
  const file = await translate(path, () => open(path, 'r'));
  return {
    read: (span) => translate(path, () => readSpan(file, path, span)),
    close: () => translate(path, () => file.close()),
  };
}

async function readSpan(file: FileHandle, path: string, { offset, length }: Span): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(bytes, at, length - at, offset + at);
    if (bytesRead === 0) throw new FileError(path, 'ECHANGED', 'was cut short while it was read');
    at += bytesRead;
  }
  return bytes;
}

async function translate<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
