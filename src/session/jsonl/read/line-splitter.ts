import { CHUNK_BYTES } from './chunks/chunk-pool.ts';

/** The bytes between two LFs. There even when they are no JSON. */
export interface Line {
  /** 1-based, counting every LF. */
  readonly number: number;
  /** The offset of its first byte from the start of the file. */
  readonly offset: number;
  /** Bytes, without the LF. */
  readonly length: number;
  /**
   * A view that is valid only during the visit. Of a line over the limit, the first bytes only.
   */
  readonly bytes: Buffer;
  /** False for a last line that has no LF. */
  readonly terminated: boolean;
  /** The line is longer than the limit: its bytes are not kept. */
  readonly oversized: boolean;
}

export type LineVisitor = (line: Line) => void;

/** How many lines were skimmed, and how many bytes they are, each with its LF. */
export interface SkimmedLines {
  readonly lines: number;
  readonly bytes: number;
  /** The latest time of any of them, in milliseconds; 0 or absent for none. */
  readonly lastTime?: number;
}

export const NO_LINES: SkimmedLines = { lines: 0, bytes: 0 };

/**
 * Looks at whole lines where they lie, from `chunk[start]` on, before anything is made of them, and
 * takes as many as need not be visited, up to the first that has to be. Each chunk is an object of
 * its own.
 */
export type LineSkimmer = (
  chunk: Buffer,
  start: number,
  /** The number of the first of them in the file. */
  line: number,
  offset: number,
) => SkimmedLines;

/**
 * Counts the bytes that come behind those that the splitter has been given, up to the next LF; it may stop
 * where there are more than `most`.
 */
export type LineMeasure = (most: number) => number;

/**
 * Longest line that is kept in memory, in bytes. V8 holds no string longer than this, so no agent
 * on Node can read such a line either.
 */
export const MAX_LINE_BYTES = 0x1fff_ffe8;

export interface SplitterOptions {
  /** A longer line is not kept; by default, `MAX_LINE_BYTES`. */
  readonly maxLineBytes?: number | undefined;
  readonly skim?: LineSkimmer | undefined;
  readonly measure?: LineMeasure | undefined;
}

const LF = 0x0a;
/** How much of an oversized line is kept, to recognize it. */
const KEPT_BYTES_OF_OVERSIZED = 4096;
/** A line larger than this is measured before more of it is kept, and its room is given back. */
const LARGE_BYTES = 16 * 1024 * 1024;
/** The beginning of a longer line is not shown again. */
const MAX_SHOWN_AGAIN = CHUNK_BYTES / 2;
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
  readonly #measure: LineMeasure | undefined;
  #number = 1;
  #offset = 0;
  /** Bytes of the unfinished line, over all chunks so far. */
  #pendingLength = 0;
  #isMeasured = false;
  /** Whether the unfinished line is longer than the limit, or was when it was measured. */
  #isOversized = false;
  /** The bytes of an unfinished line, or the first of them if it is oversized. Used again for every line. */
  #pending = NOTHING;

  constructor(
    visit: LineVisitor,
    { maxLineBytes = MAX_LINE_BYTES, skim, measure }: SplitterOptions = {},
  ) {
    this.#visit = visit;
    this.#maxLineBytes = maxLineBytes;
    this.#skim = skim;
    this.#measure = measure;
  }

  /** Visits every line that ends in this chunk. The chunk may be reused afterwards. */
  push(chunk: Buffer): void {
    const start = this.#visitLines(chunk);
    if (start < chunk.length) this.#keepRest(chunk.subarray(start));
  }

  /**
   * Visits the lines of a chunk without copying its last, unfinished line, and returns how many bytes of it the
   * caller has to put before the next chunk: 0 for a long one, which is kept here all the same.
   */
  pushWhole(chunk: Buffer): number {
    const start = this.#visitLines(chunk);
    const rest = chunk.length - start;
    if (rest <= MAX_SHOWN_AGAIN) return rest;
    this.#keepRest(chunk.subarray(start));
    return 0;
  }

  /** Visits lines up to the last LF; where the rest begins. */
  #visitLines(chunk: Buffer): number {
    let start = 0;
    for (;;) {
      if (this.#pendingLength === 0) start += this.#skimFrom(chunk, start);
      const end = chunk.indexOf(LF, start);
      if (end === -1) return start;
      if (this.#pendingLength === 0) this.#visitLine(chunk.subarray(start, end), end - start, true);
      else this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
  }

  /** Visits the last line if the input does not end in LF; whether it was so. */
  end(): boolean {
    if (this.#pendingLength === 0) return false;
    this.#visitPending(false);
    return true;
  }

  /** Skips the lines from `start` on that need no visit; how many bytes that are. */
  #skimFrom(chunk: Buffer, start: number): number {
    // None of them can be over the limit.
    if (this.#skim === undefined || chunk.length - start > this.#maxLineBytes) return 0;
    const { lines, bytes } = this.#skim(chunk, start, this.#number, this.#offset);
    this.#number += lines;
    this.#offset += bytes;
    return bytes;
  }

  /** Keeps the last bytes that there are of a line that has not ended. */
  #keepRest(part: Buffer): void {
    const length = this.#pendingLength + part.length;
    if (length > LARGE_BYTES && !this.#isMeasured && this.#measure) {
      this.#isMeasured = true;
      const whole = length + this.#measure(this.#maxLineBytes - length);
      this.#isOversized = whole > this.#maxLineBytes;
      if (this.#isOversized)
        this.#pending = Buffer.from(this.#pending.subarray(0, KEPT_BYTES_OF_OVERSIZED));
      // Room for the LF, too; growing bit by bit would need as much again.
      else this.#reserve(whole + 1, whole + 1);
    }
    this.#keep(part);
  }

  #keep(part: Buffer): void {
    const length = this.#pendingLength + part.length;
    if (length <= this.#maxLineBytes && !this.#isOversized) {
      this.#reserve(length);
      part.copy(this.#pending, this.#pendingLength);
    } else if (this.#pendingLength < KEPT_BYTES_OF_OVERSIZED) {
      this.#reserve(KEPT_BYTES_OF_OVERSIZED);
      part.copy(this.#pending, this.#pendingLength, 0, KEPT_BYTES_OF_OVERSIZED);
    }
    this.#pendingLength = length;
  }

  #reserve(length: number, room = Math.min(2 * length, this.#maxLineBytes)): void {
    if (length <= this.#pending.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(length, room));
    this.#pending.copy(grown, 0, 0, this.#pendingLength);
    this.#pending = grown;
  }

  /** Ends the line that began in an earlier chunk. */
  #finish(rest: Buffer): void {
    this.#keep(rest);
    if (this.#skimPending()) this.#pendingLength = 0;
    else this.#visitPending(true);
    this.#isMeasured = false;
    this.#isOversized = false;
    if (this.#pending.length > LARGE_BYTES) this.#pending = NOTHING;
  }

  #skimPending(): boolean {
    const length = this.#pendingLength;
    if (this.#skim === undefined || this.#isOversized || length > this.#maxLineBytes) return false;
    this.#reserve(length + 1);
    this.#pending[length] = LF;
    return this.#skimFrom(this.#pending.subarray(0, length + 1), 0) > 0;
  }

  #visitPending(terminated: boolean): void {
    const length = this.#pendingLength;
    const isOversized = this.#isOversized || length > this.#maxLineBytes;
    const kept = isOversized ? KEPT_BYTES_OF_OVERSIZED : length;
    this.#pendingLength = 0;
    const bytes = this.#pending.subarray(0, Math.min(kept, length));
    this.#visitLine(bytes, length, terminated, isOversized);
  }

  #visitLine(
    bytes: Buffer,
    length: number,
    terminated: boolean,
    oversized = length > this.#maxLineBytes,
  ): void {
    const [number, offset] = [this.#number, this.#offset];
    this.#number += 1;
    this.#offset += length + (terminated ? 1 : 0);
    const kept = oversized ? bytes.subarray(0, KEPT_BYTES_OF_OVERSIZED) : bytes;
    this.#visit({ number, offset, length, bytes: kept, terminated, oversized });
  }
}
