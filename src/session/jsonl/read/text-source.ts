import { closeSync, readSync } from 'node:fs';
import { FileError } from '../../../errors.ts';
import type { FileStamp } from '../files/identity/file-stamp.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import { isCompressed } from '../zstd/is-compressed.ts';
import { Unpacker, UnpackError } from '../zstd/unpacker.ts';
import { loadZstd, type Zstd } from '../zstd/zstd.ts';
import { CHUNK_BYTES } from './chunks/chunk-pool.ts';
import { takeTurn } from './chunks/take-turn.ts';
import type { LineMeasure } from './line-splitter.ts';
import { measureLine, measureWith, PIECE_BYTES } from './measure-line.ts';
import { type OpenFile, openForReading } from './open-for-reading.ts';

/** The text of a file, front to back: its bytes, or what they are decompressed to. */
export interface TextSource {
  /** The stamp of the file itself; `size` is that of its bytes. */
  readonly stamp: FileStamp;
  /**
   * Puts the next bytes into a buffer, from `start` on; returns how many, 0 at the end.
   * @throws FileError where a compressed file is damaged; an error of the system where reading fails.
   */
  read(into: Buffer, start: number): number;
  /** Measures the rest of a long line before it is read; once for a line, and lines in their order. */
  readonly measure: LineMeasure;
  /** Closes the file; call this once. */
  close(): void;
}

/**
 * Opens a file read-only, compressed or not.
 * @throws FileError if it cannot be opened, or is not a regular file.
 */
export async function openText(path: string): Promise<TextSource> {
  if (!isCompressed(path)) return new PlainText(openForReading(path));
  if (typeof WebAssembly === 'undefined') {
    throw new FileError(path, 'ENOTSUP', 'cannot decompress: this Node runs without WebAssembly');
  }
  const takeZstd = await loadZstd();
  const file = openForReading(path);
  try {
    return new PackedText(path, file, takeZstd);
  } catch (error) {
    closeSync(file.fd);
    throw error;
  }
}

/**
 * Reads the text of a file, compressed or not. A chunk is valid until the next one is asked for.
 * @throws FileError as `openText` and its `read` do.
 */
export async function* readText(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const source = await openText(path);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const count = source.read(chunk, 0);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      await takeTurn(count, signal);
    }
  } finally {
    source.close();
  }
}

class PlainText implements TextSource {
  readonly stamp: FileStamp;
  readonly #fd: number;
  #position = 0;
  #isAtEnd = false;

  constructor({ fd, stamp }: OpenFile) {
    this.#fd = fd;
    this.stamp = stamp;
  }

  read(into: Buffer, start: number): number {
    if (this.#isAtEnd) return 0;
    const room = into.length - start;
    const count = readSync(this.#fd, into, start, room, null);
    this.#position += count;
    // One more call, only to learn that a small file has ended, takes as long as the read itself.
    this.#isAtEnd = count < room && this.#position >= this.stamp.size;
    return count;
  }

  readonly measure: LineMeasure = (most) => measureLine(this.#fd, this.#position, most);

  close(): void {
    closeSync(this.#fd);
  }
}

class PackedText implements TextSource {
  readonly stamp: FileStamp;
  readonly #path: string;
  readonly #fd: number;
  readonly #text: PackedReader;
  /** Is ahead of `#text`, and made for the first long line; so each byte is decompressed twice at most. */
  #scout: PackedReader | undefined;
  readonly #takeZstd: () => Zstd;

  constructor(path: string, { fd, stamp }: OpenFile, takeZstd: () => Zstd) {
    this.#path = path;
    this.#fd = fd;
    this.#takeZstd = takeZstd;
    this.#text = new PackedReader(fd, takeZstd());
    this.stamp = stamp;
  }

  read(into: Buffer, start: number): number {
    return this.#orFileError(() => this.#text.read(into.subarray(start)));
  }

  readonly measure: LineMeasure = (most) =>
    this.#orFileError(() => {
      const scout = (this.#scout ??= new PackedReader(this.#fd, this.#takeZstd()));
      scout.skipTo(this.#text.position);
      return measureWith(most, (piece) => scout.read(piece));
    });

  close(): void {
    releaseAfterSync(
      () => closeSync(this.#fd),
      () => this.#text.close(),
      () => this.#scout?.close(),
    );
  }

  #orFileError(read: () => number): number {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      throw new FileError(this.#path, 'EBADZSTD', `cannot decompress: ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** Decompresses the text of a file, front to back; several may read one file. */
class PackedReader {
  readonly #fd: number;
  readonly #unpacker: Unpacker;
  #positionInFile = 0;
  #position = 0;

  constructor(fd: number, zstd: Zstd) {
    this.#fd = fd;
    this.#unpacker = new Unpacker(zstd);
  }

  /** How much of the text it has read, in bytes. */
  get position(): number {
    return this.#position;
  }

  read(into: Buffer): number {
    const count = this.#unpacker.read(into, (packed) => {
      const read = readSync(this.#fd, packed, 0, packed.length, this.#positionInFile);
      this.#positionInFile += read;
      return read;
    });
    this.#position += count;
    return count;
  }

  skipTo(position: number): void {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    while (this.#position < position) {
      if (this.read(piece.subarray(0, position - this.#position)) === 0) return;
    }
  }

  close(): void {
    this.#unpacker.close();
  }
}
