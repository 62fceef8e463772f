import { closeSync, readSync } from 'node:fs';
import { FileError } from '../../../errors.ts';
import type { FileStamp } from '../files/identity/file-stamp.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import { isCompressed } from '../zstd/is-compressed.ts';
import { Unpacker, UnpackError } from '../zstd/unpacker.ts';
import { takeZstd, type Zstd } from '../zstd/zstd.ts';
import type { LineMeasure } from './line-splitter.ts';
import { type OpenFile, openForReading } from './open-for-reading.ts';

/** The text of a file, front to back: its bytes, or what they are unpacked to. */
export interface TextSource {
  /** The stamp of the file itself; `size` is that of its bytes. */
  readonly stamp: FileStamp;
  /**
   * Puts the next bytes into a buffer, from `start` on; returns how many, 0 at the end.
   * @throws FileError where a compressed file is damaged; an error of the system where reading fails.
   */
  read(into: Buffer, start: number): number;
  /** Measures the rest of a line before it is read. Absent where nothing can be read twice. */
  readonly measure?: LineMeasure;
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
    throw new FileError(path, 'ENOTSUP', 'cannot unpack: this Node runs without WebAssembly');
  }
  const zstd = await takeZstd();
  return new PackedText(path, openForReading(path), zstd);
}

const LF = 0x0a;
const PIECE_BYTES = 128 * 1024;

class PlainText implements TextSource {
  readonly stamp: FileStamp;
  readonly #fd: number;
  #position = 0;

  constructor({ fd, stamp }: OpenFile) {
    this.#fd = fd;
    this.stamp = stamp;
  }

  read(into: Buffer, start: number): number {
    const count = readSync(this.#fd, into, start, into.length - start, null);
    this.#position += count;
    return count;
  }

  readonly measure: LineMeasure = (most) => {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    let length = 0;
    while (length <= most) {
      const count = readSync(this.#fd, piece, 0, PIECE_BYTES, this.#position + length);
      const end = piece.subarray(0, count).indexOf(LF);
      if (end >= 0) return length + end;
      if (count === 0) break;
      length += count;
    }
    return length;
  };

  close(): void {
    closeSync(this.#fd);
  }
}

class PackedText implements TextSource {
  readonly stamp: FileStamp;
  readonly #path: string;
  readonly #fd: number;
  readonly #unpacker: Unpacker;

  constructor(path: string, { fd, stamp }: OpenFile, zstd: Zstd) {
    this.#path = path;
    this.#fd = fd;
    this.#unpacker = new Unpacker(zstd);
    this.stamp = stamp;
  }

  read(into: Buffer, start: number): number {
    try {
      return this.#unpacker.read(into.subarray(start), (packed) => readSync(this.#fd, packed));
    } catch (error) {
      if (!(error instanceof UnpackError)) throw error;
      throw new FileError(this.#path, 'EBADZSTD', `cannot unpack: ${error.message}`, {
        cause: error,
      });
    }
  }

  close(): void {
    releaseAfterSync(
      () => closeSync(this.#fd),
      () => this.#unpacker.close(),
    );
  }
}
