import { readSync } from 'node:fs';

const LF = 0x0a;
export const PIECE_BYTES = 128 * 1024;

/** Measures the rest of a line of a plain file, from a position on, before it is read: see `TextSource.measure`. */
export function measureLine(fd: number, from: number, most: number): number {
  let position = from;
  return measureWith(most, (piece) => {
    const count = readSync(fd, piece, 0, piece.length, position);
    position += count;
    return count;
  });
}

/** Counts bytes up to the next LF, or until there are more than `most`. */
export function measureWith(most: number, read: (piece: Buffer) => number): number {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let length = 0;
  while (length <= most) {
    const count = read(piece);
    const end = piece.subarray(0, count).indexOf(LF);
    if (end >= 0) return length + end;
    if (count === 0) break;
    length += count;
  }
  return length;
}
