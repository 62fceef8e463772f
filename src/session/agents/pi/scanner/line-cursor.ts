import type { SkimmedLines } from '../../../jsonl/read/line-splitter.ts';
import { DONE } from '../../../jsonl/scanner/layout.ts';
import type { Scanner } from './scanner.ts';

const NOTHING = Buffer.alloc(0);

/** Goes through the lines of a chunk that the scanner takes. */
export class LineCursor {
  readonly #scanner: Scanner;
  #chunk: Buffer = NOTHING;
  #start = 0;
  /** The start, in the chunk, of the first line that the scanner has not taken. */
  #at = 0;
  /** Lines that the scanner took and that were not read yet. */
  #waiting = 0;
  /** How many lines were taken and read. */
  lines = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Goes to the line that begins at a place of a chunk. */
  begin(chunk: Buffer, start: number): void {
    this.#chunk = chunk;
    this.#start = start;
    this.#at = start;
    this.#waiting = 0;
    this.lines = 0;
  }

  /** The lines that were read since, once there is none left. */
  get taken(): SkimmedLines {
    return { lines: this.lines, bytes: this.#at - this.#start };
  }

  /**
   * Goes to the next line that was taken; false if there is none. `scan` has the scanner take lines
   * between two addresses, and says how many it took.
   */
  next(scan: (from: number, end: number) => number): boolean {
    if (this.#waiting === 0) this.#waiting = this.#advance(scan);
    if (this.#waiting === 0) return false;
    this.#waiting -= 1;
    this.lines += 1;
    return true;
  }

  /** Accepts all lines that the scanner takes at once; returns how many. */
  nextAll(scan: (from: number, end: number) => number): number {
    const count = this.#advance(scan);
    this.lines += count;
    return count;
  }

  /**
   * The rest of the chunk from the first line on that was not taken, if that is longer than what the
   * scanner can be shown.
   */
  get longRest(): Buffer | undefined {
    return this.#isCutOff ? this.#chunk.subarray(this.#at) : undefined;
  }

  /** Takes a line that is longer than what the scanner can be shown: this many bytes, with its LF. */
  takeLong(bytes: number): void {
    this.#at += bytes;
    this.lines += 1;
  }

  /** Converts an address to a place in the chunk, in bytes from the start of the cursor. */
  toDistance(address: number): number {
    return this.#scanner.window.toChunk(address) - this.#start;
  }

  #advance(scan: (from: number, end: number) => number): number {
    const { window, exports } = this.#scanner;
    const from = window.show(this.#chunk, this.#at);
    const count = scan(from, window.end);
    this.#at = window.toChunk(exports.scannedTo.value);
    return count === 0 && this.#isCutOff && window.moveTo(this.#at) ? this.#advance(scan) : count;
  }

  /** Whether the next line continues behind what the scanner is shown of the chunk. */
  get #isCutOff(): boolean {
    return this.#scanner.exports.ending.value === DONE && !this.#scanner.window.showsEnd;
  }
}
