import { CHUNK_BYTES } from './chunk-size.ts';
import { readRangeSync } from './sync-calls.ts';

const NOTHING = Buffer.alloc(0);

/** A stretch of a file, in bytes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Where spans are asked for one after another, what comes next is read along with them. */
export class ReadAhead {
  readonly #fd: number;
  /** What has been read and may still be asked for, and where that is in the file. */
  #ahead: Buffer = NOTHING;
  #offset = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The bytes are the caller's own. Undefined where the file ends before the span does. */
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
