import { type Zstd, giveBackZstd } from './zstd.ts';

/** Reads the next compressed bytes into a buffer; 0 where there are no more. */
export type ReadPacked = (into: Buffer) => number;

/** How much text may come of a file, in bytes. */
export interface UnpackLimits {
  /** Any text may be this long. */
  readonly bytes: number;
  /** A longer one only if it is no more than this many times as long as what it was made of. */
  readonly ratio: number;
  /** Any text may have this many lines; more of them only if it was made of as many bytes. */
  readonly lines: number;
}

/**
 * Sessions that are mostly the same images again have been seen to become a thousand times smaller, and
 * single ones of 98 GB exist; the lines of a session differ in their times, and take several bytes each.
 * A few kilobytes that become hundreds of gigabytes, or a million lines, are made to do harm.
 */
const LIMITS: UnpackLimits = { bytes: 16 * 1024 ** 3, ratio: 1000, lines: 500_000 };

const LF = 0x0a;
/** The size of pieces that zstd recommends, in and out. */
const PIECE_BYTES = 128 * 1024;
/** Place, size and position, of 4 bytes each. */
const BUFFER_BYTES = 12;
const POSITION = 8;

/** zstd's errors that say something to a user, by their number. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [10, 'the bytes there are not Zstandard'],
  [16, 'it needs more memory to decompress than Zstandard allows (128 MiB)'],
  [22, 'the text differs from its checksum'],
  [32, 'it was made with a dictionary'],
]);

/** Decompresses a stream of zstd frames, a piece at a time, as the reference implementation does. */
export class Unpacker {
  readonly #zstd: Zstd;
  readonly #limits: UnpackLimits;
  readonly #context: number;
  readonly #places: readonly number[];
  readonly #input: number;
  readonly #output: number;
  readonly #inputBuffer: number;
  readonly #outputBuffer: number;
  /** Whether the end of the input is between two frames; an empty file has none. */
  #isBetweenFrames = true;
  #isInputEnded = false;
  #bytesIn = 0;
  #bytesOut = 0;
  #linesOut = 0;

  /** The instance is this one's until `close`. */
  constructor(zstd: Zstd, limits: UnpackLimits = LIMITS) {
    this.#zstd = zstd;
    this.#limits = limits;
    this.#context = zstd.ZSTD_createDCtx();
    this.#places = [PIECE_BYTES, PIECE_BYTES, BUFFER_BYTES, BUFFER_BYTES].map((size) =>
      zstd.malloc(size),
    );
    const [input = 0, output = 0, inputBuffer = 0, outputBuffer = 0] = this.#places;
    [this.#input, this.#output] = [input, output];
    [this.#inputBuffer, this.#outputBuffer] = [inputBuffer, outputBuffer];
    this.#setBuffer(inputBuffer, input, 0);
  }

  /**
   * Puts the next bytes of the text into a buffer, from its beginning; returns how many, 0 at the end.
   * @throws UnpackError if what is read is not zstd, is damaged, ends early, or is a bomb.
   */
  read(into: Buffer, readPacked: ReadPacked): number {
    for (;;) {
      this.#setBuffer(this.#outputBuffer, this.#output, Math.min(into.length, PIECE_BYTES));
      this.#step();
      const count = this.#view().getUint32(this.#outputBuffer + POSITION, true);
      if (count > 0) {
        into.set(new Uint8Array(this.#zstd.memory.buffer, this.#output, count));
        this.#refuseBomb(into.subarray(0, count));
        return count;
      }
      if (this.#hasInput()) continue;
      if (this.#isInputEnded) {
        if (this.#isBetweenFrames) return 0;
        throw new UnpackError('it ends in the middle');
      }
      this.#fill(readPacked);
    }
  }

  /** Frees the decoder and gives its module back; call this once. */
  close(): void {
    this.#zstd.ZSTD_freeDCtx(this.#context);
    for (const place of this.#places) this.#zstd.free(place);
    giveBackZstd(this.#zstd);
  }

  #step(): void {
    // Nothing to read between two frames would count as the beginning of the next.
    if (this.#isBetweenFrames && !this.#hasInput()) return;
    const { ZSTD_decompressStream: step } = this.#zstd;
    const wanted = step(this.#context, this.#outputBuffer, this.#inputBuffer);
    if (wanted < 0) throw new UnpackError(ERRORS.get(-wanted) ?? 'it is damaged');
    this.#isBetweenFrames = wanted === 0;
  }

  #fill(readPacked: ReadPacked): void {
    const count = readPacked(Buffer.from(this.#zstd.memory.buffer, this.#input, PIECE_BYTES));
    this.#isInputEnded = count === 0;
    this.#bytesIn += count;
    this.#setBuffer(this.#inputBuffer, this.#input, count);
  }

  #hasInput(): boolean {
    const view = this.#view();
    return (
      view.getUint32(this.#inputBuffer + POSITION, true) <
      view.getUint32(this.#inputBuffer + POSITION / 2, true)
    );
  }

  #refuseBomb(text: Buffer): void {
    const { bytes, ratio, lines } = this.#limits;
    this.#bytesOut += text.length;
    for (let at = text.indexOf(LF); at >= 0; at = text.indexOf(LF, at + 1)) this.#linesOut += 1;
    if (this.#bytesOut > bytes && this.#bytesOut > ratio * this.#bytesIn) {
      throw new UnpackError(`its text is more than ${ratio} times as long`);
    }
    if (this.#linesOut > lines && this.#linesOut > this.#bytesIn) {
      throw new UnpackError('its text has more lines than it has bytes');
    }
  }

  #setBuffer(buffer: number, place: number, size: number): void {
    const view = this.#view();
    view.setUint32(buffer, place, true);
    view.setUint32(buffer + POSITION / 2, size, true);
    view.setUint32(buffer + POSITION, 0, true);
  }

  /** Makes a view each time: the memory is another one when it has grown. */
  #view(): DataView {
    return new DataView(this.#zstd.memory.buffer);
  }
}

/** A fault in compressed bytes. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError';
}
