import { getBomLength } from '../parse-line.ts';
import { giveBackChunk, takeChunk } from './chunk-pool.ts';
import { fillSync, readRangeSync } from '../../files/sync-calls.ts';

/** A stretch of a file, in bytes. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Reads ahead while spans are requested one after another. */
export class ReadAhead {
  readonly #fd: number;
  readonly #chunk = takeChunk();
  /** How much of the chunk has been read and may still be asked for, and where that is in the file. */
  #length = 0;
  #offset = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /**
   * Valid until the next call. Undefined where the file ends before the span does. A byte order mark
   * at the start of the file is not a part of its first line.
   */
  read(span: Span): Buffer | undefined {
    const bytes = this.#read(span);
    return bytes && span.offset === 0 ? bytes.subarray(getBomLength(bytes)) : bytes;
  }

  #read({ offset, length }: Span): Buffer | undefined {
    const end = this.#offset + this.#length;
    if (offset >= this.#offset && offset + length <= end) return this.#view(offset, length);
    const isNext = offset >= this.#offset && offset <= end + this.#chunk.length;
    if (isNext && length < this.#chunk.length) {
      this.#fill(offset);
      return this.#length < length ? undefined : this.#view(offset, length);
    }
    const bytes = readRangeSync(this.#fd, offset, offset + length);
    this.#offset = offset + length;
    this.#length = 0;
    return bytes.length < length ? undefined : bytes;
  }

  /** Gives the chunk back; call this once, when nothing is read any more. */
  close(): void {
    giveBackChunk(this.#chunk);
  }

  #view(offset: number, length: number): Buffer {
    const start = offset - this.#offset;
    return this.#chunk.subarray(start, start + length);
  }

  #fill(offset: number): void {
    this.#offset = offset;
    this.#length = fillSync(this.#fd, this.#chunk, offset);
  }
}
