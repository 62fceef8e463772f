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
 * Longest line that is kept in memory, in bytes. V8 holds no string longer than this, so no agent
 * on Node can read such a line either.
 */
export const MAX_LINE_BYTES = 0x1fff_ffe8;

const LF = 0x0a;
/** How much of an oversized line is kept, to tell what it is. */
const KEPT_BYTES_OF_OVERSIZED = 4096;

/**
 * Cuts a stream of bytes into lines at LF and nowhere else.
 *
 * Never `node:readline`: it also splits at a lone CR and, from Node 24, inside strings at U+2028.
 * The concatenation of all lines, each with its LF, is the input, byte for byte.
 */
export class LineSplitter {
  readonly #visit: LineVisitor;
  readonly #maxLineBytes: number;
  #number = 1;
  #offset = 0;
  /** Bytes of the unfinished line, over all chunks; more than what `#kept` holds when oversized. */
  #pendingLength = 0;
  #kept: Buffer[] = [];

  constructor(visit: LineVisitor, maxLineBytes = MAX_LINE_BYTES) {
    this.#visit = visit;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Visits every line that ends in this chunk. The chunk may be reused afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#finish(chunk.subarray(start, end), true);
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Visits the last line if the input does not end in LF. */
  end(): void {
    if (this.#pendingLength > 0) this.#finish(Buffer.alloc(0), false);
  }

  #keep(part: Buffer): void {
    this.#pendingLength += part.length;
    this.#kept.push(Buffer.from(part));
    if (this.#pendingLength > this.#maxLineBytes) this.#kept = [this.#takeHead(this.#kept)];
  }

  #takeHead(parts: readonly Buffer[]): Buffer {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return Buffer.concat(parts, Math.min(length, KEPT_BYTES_OF_OVERSIZED));
  }

  #finish(rest: Buffer, terminated: boolean): void {
    const length = this.#pendingLength + rest.length;
    const oversized = length > this.#maxLineBytes;
    const bytes = this.#assemble(rest, oversized);
    const offset = this.#offset;
    const number = this.#number;
    this.#kept = [];
    this.#pendingLength = 0;
    this.#number += 1;
    this.#offset += length + (terminated ? 1 : 0);
    this.#visit({ number, offset, length, bytes, terminated, oversized });
  }

  /** Only a line that spans chunks is copied. */
  #assemble(rest: Buffer, oversized: boolean): Buffer {
    const parts = this.#pendingLength === 0 ? [rest] : [...this.#kept, rest];
    if (oversized) return this.#takeHead(parts);
    return parts.length === 1 ? rest : Buffer.concat(parts);
  }
}
