import { closeSync } from 'node:fs';
import { FileError } from '../../errors.ts';
import { CHUNK_BYTES } from './chunk-size.ts';
import { toFileError } from './file-error.ts';
import { openForReading } from './open-for-reading.ts';
import { readRangeSync } from './sync-calls.ts';
import { takeTurn } from './take-turn.ts';

const NOTHING = Buffer.alloc(0);

/** A stretch of a file, in bytes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Reads single lines of a file again, by where they are. */
export interface SpanReader {
  /** The bytes are the caller's own. @throws FileError if they cannot be read or are not there. */
  read(span: Span): Promise<Buffer>;
  close(): void;
}

/**
 * Opens a file, read-only, for reading what an index says is in it.
 * @throws FileError if it cannot be opened.
 */
export function openSpans(path: string): SpanReader {
  const fd = translate(path, () => openForReading(path));
  const ahead = new ReadAhead(fd);
  return {
    async read(span) {
      const bytes = translate(path, () => ahead.read(span));
      if (!bytes) throw new FileError(path, 'ECHANGED', 'was cut short while it was read');
      await takeTurn(span.length, undefined);
      return bytes;
    },
    close: () => translate(path, () => closeSync(fd)),
  };
}

/** Where spans are asked for one after another, what comes next is read along with them. */
class ReadAhead {
  readonly #fd: number;
  /** What has been read and may still be asked for, and where that is in the file. */
  #ahead: Buffer = NOTHING;
  #offset = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Undefined where the file ends before the span does. */
  read({ offset, length }: Span): Buffer | undefined {
    const end = this.#offset + this.#ahead.length;
    if (offset >= this.#offset && offset + length <= end) return this.#copy(offset, length);
    const isNext = offset >= this.#offset && offset <= end + CHUNK_BYTES;
    if (isNext && length < CHUNK_BYTES) {
      this.#keep(offset, readRangeSync(this.#fd, offset, offset + CHUNK_BYTES));
      return this.#ahead.length < length ? undefined : this.#copy(offset, length);
    }
    const bytes = readRangeSync(this.#fd, offset, offset + length);
    this.#keep(offset + length, NOTHING);
    return bytes.length < length ? undefined : bytes;
  }

  #copy(offset: number, length: number): Buffer {
    const start = offset - this.#offset;
    return Buffer.from(this.#ahead.subarray(start, start + length));
  }

  #keep(offset: number, bytes: Buffer): void {
    this.#offset = offset;
    this.#ahead = bytes;
  }
}

function translate<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
