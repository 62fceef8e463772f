import { toFileError } from '../../files/file-error.ts';
import { getBomLength } from '../parse-line.ts';
import { giveBackChunk, takeChunk } from '../chunks/chunk-pool.ts';
import type { Span } from '../chunks/read-ahead.ts';
import { takeTurn } from '../chunks/take-turn.ts';
import { openText, type TextSource } from '../text-source.ts';

/**
 * Stretches of the text of a compressed file. It can only be decompressed from its beginning: a span that
 * is before the last one has that begin again.
 */
export class PackedSpans {
  readonly #path: string;
  readonly #chunk = takeChunk();
  #source: TextSource | undefined;
  /** The part of the text in the chunk: its start and length. */
  #offset = 0;
  #length = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Valid until the next call. Undefined where the text ends before the span does. A byte order mark
   * at its start is not a part of the first line.
   * @throws FileError if the file cannot be read or decompressed.
   */
  async read(span: Span): Promise<Buffer | undefined> {
    try {
      const bytes = await this.#read(span);
      return bytes && span.offset === 0 ? bytes.subarray(getBomLength(bytes)) : bytes;
    } catch (error) {
      throw toFileError(error, this.#path, 'read');
    }
  }

  /** Closes the file and gives the chunk back; call this once, when nothing is read any more. */
  close(): void {
    giveBackChunk(this.#chunk);
    this.#source?.close();
  }

  async #read({ offset, length }: Span): Promise<Buffer | undefined> {
    if (offset < this.#offset) this.#restart();
    while (offset >= this.#offset + this.#length) if (!(await this.#next())) return undefined;
    const start = offset - this.#offset;
    if (start + length <= this.#length) return this.#chunk.subarray(start, start + length);
    const bytes = Buffer.allocUnsafe(length);
    let filled = this.#chunk.copy(bytes, 0, start, this.#length);
    while (filled < length) {
      if (!(await this.#next())) return undefined;
      filled += this.#chunk.copy(bytes, filled, 0, this.#length);
    }
    return bytes;
  }

  #restart(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#offset = 0;
    this.#length = 0;
  }

  /** Goes on by one piece; whether there is one. */
  async #next(): Promise<boolean> {
    this.#source ??= await openText(this.#path);
    this.#offset += this.#length;
    this.#length = this.#source.read(this.#chunk, 0);
    await takeTurn(this.#length, undefined);
    return this.#length > 0;
  }
}
