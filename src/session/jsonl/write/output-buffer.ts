import { giveBackChunk, takeChunk } from '../read/chunks/chunk-pool.ts';

const LF = 0x0a;
/** No UTF-16 code unit becomes more bytes of UTF-8: those of a pair are two each. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Collects pieces of a file, since a write for each would take longer than making it, in memory that
 * is used again and again.
 */
export class OutputBuffer {
  readonly #write: (bytes: Buffer) => void;
  readonly #chunk = takeChunk();
  readonly #maxUnits = Math.floor(this.#chunk.length / MAX_BYTES_PER_UNIT);
  #filled = 0;
  #written = 0;

  /** The bytes passed to `write` are valid only during the call. */
  constructor(write: (bytes: Buffer) => void) {
    this.#write = write;
  }

  /** Returns how many bytes have been written so far. */
  get written(): number {
    return this.#written;
  }

  /** Text becomes UTF-8; half of a surrogate pair without the other half in the piece, U+FFFD. */
  add(piece: string | Uint8Array): void {
    if (typeof piece !== 'string') return this.#addBytes(piece);
    if (piece === '\n') return this.#addLineFeed();
    for (let start = 0, end = 0; start < piece.length; start = end) {
      end = this.#findEnd(piece, start);
      // The text itself, not a copy, in all cases but a few.
      const part = end - start === piece.length ? piece : piece.slice(start, end);
      this.#reserve(part.length * MAX_BYTES_PER_UNIT);
      this.#filled += this.#chunk.write(part, this.#filled);
    }
  }

  /** Writes what has been collected. */
  flush(): void {
    if (this.#filled === 0) return;
    this.#put(this.#chunk.subarray(0, this.#filled));
    this.#filled = 0;
  }

  /** Gives the chunk back; call this once, when nothing is added any more. */
  close(): void {
    giveBackChunk(this.#chunk);
  }

  #addLineFeed(): void {
    this.#reserve(1);
    this.#chunk[this.#filled] = LF;
    this.#filled += 1;
  }

  #addBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    if (bytes.length > this.#chunk.length) {
      return this.#put(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    }
    this.#chunk.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  #reserve(bytes: number): void {
    if (this.#filled + bytes > this.#chunk.length) this.flush();
  }

  #put(bytes: Buffer): void {
    this.#write(bytes);
    this.#written += bytes.length;
  }

  /** Finds the end of a part that fits into the chunk and splits no surrogate pair. */
  #findEnd(text: string, start: number): number {
    const end = start + this.#maxUnits;
    if (end >= text.length) return text.length;
    return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
