/** The bytes between two LFs. There even when they are no JSON. */
export interface Line {
  /** 1-based, counting every LF. */
  readonly number: number;
  /** Where its first byte is, in bytes from the start of the file. */
  readonly offset: number;
  /** Bytes, without the LF. */
  readonly length: number;
  /**
   * A view that is valid only during the visit. Of a line over the limit, the first bytes only.
   */
  readonly bytes: Buffer;
  /** False for a last line that has no LF. */
  readonly terminated: boolean;
  /** Longer than the limit: its bytes are not kept. */
  readonly oversized: boolean;
}

export type LineVisitor = (line: Line) => void;

/**
 * Looks at a line where it lies, `chunk[start]` to `chunk[end - 1]`, before anything is made of it.
 * True if that was enough: then it is not visited. What is around the line in the chunk may be
 * looked at, too; each chunk is an object of its own.
 */
export type LineSkimmer = (chunk: Buffer, start: number, end: number) => boolean;

/**
 * Longest line that is kept in memory, in bytes. V8 holds no string longer than this, so no agent
 * on Node can read such a line either.
 */
export const MAX_LINE_BYTES = 0x1fff_ffe8;

const LF = 0x0a;
/** How much of an oversized line is kept, to tell what it is. */
const KEPT_BYTES_OF_OVERSIZED = 4096;
/** Room for a line larger than this is given back when the line is done. */
const LARGE_BYTES = 16 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into lines at LF and nowhere else.
 *
 * Never `node:readline`: it also splits at a lone CR and, from Node 24, inside strings at U+2028.
 * The concatenation of all lines, each with its LF, is the input, byte for byte.
 */
export class LineSplitter {
  readonly #visit: LineVisitor;
  readonly #skim: LineSkimmer | undefined;
  readonly #maxLineBytes: number;
  #number = 1;
  #offset = 0;
  /** Bytes of the unfinished line, over all chunks so far. */
  #pendingLength = 0;
  /** Those bytes, or the first of them if the line is oversized. Used again for every line. */
  #pending = NOTHING;

  constructor(visit: LineVisitor, maxLineBytes = MAX_LINE_BYTES, skim?: LineSkimmer) {
    this.#visit = visit;
    this.#maxLineBytes = maxLineBytes;
    this.#skim = skim;
  }

  /** Visits every line that ends in this chunk. The chunk may be reused afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      if (this.#pendingLength === 0 && this.#skims(chunk, start, end)) {
        this.#number += 1;
        this.#offset += end - start + 1;
      } else {
        this.#finish(chunk.subarray(start, end), true);
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Visits the last line if the input does not end in LF; whether it was so. */
  end(): boolean {
    if (this.#pendingLength === 0) return false;
    this.#finish(NOTHING, false);
    return true;
  }

  #skims(chunk: Buffer, start: number, end: number): boolean {
    return (
      this.#skim !== undefined && end - start <= this.#maxLineBytes && this.#skim(chunk, start, end)
    );
  }

  #keep(part: Buffer): void {
    const length = this.#pendingLength + part.length;
    if (length <= this.#maxLineBytes) {
      this.#reserve(length);
      part.copy(this.#pending, this.#pendingLength);
    } else if (this.#pendingLength < KEPT_BYTES_OF_OVERSIZED) {
      this.#reserve(KEPT_BYTES_OF_OVERSIZED);
      part.copy(this.#pending, this.#pendingLength, 0, KEPT_BYTES_OF_OVERSIZED);
    }
    this.#pendingLength = length;
  }

  #reserve(length: number): void {
    if (length <= this.#pending.length) return;
    const grown = Buffer.allocUnsafeSlow(
      Math.max(length, Math.min(2 * length, this.#maxLineBytes)),
    );
    this.#pending.copy(grown, 0, 0, this.#pendingLength);
    this.#pending = grown;
  }

  #finish(rest: Buffer, terminated: boolean): void {
    const isWhole = this.#pendingLength === 0;
    if (!isWhole) this.#keep(rest);
    const length = isWhole ? rest.length : this.#pendingLength;
    const oversized = length > this.#maxLineBytes;
    const kept = oversized ? Math.min(length, KEPT_BYTES_OF_OVERSIZED) : length;
    const bytes = (isWhole ? rest : this.#pending).subarray(0, kept);
    const offset = this.#offset;
    const number = this.#number;
    this.#pendingLength = 0;
    this.#number += 1;
    this.#offset += length + (terminated ? 1 : 0);
    if (isWhole || !this.#skims(bytes, 0, length)) {
      this.#visit({ number, offset, length, bytes, terminated, oversized });
    }
    if (this.#pending.length > LARGE_BYTES) this.#pending = NOTHING;
  }
}
