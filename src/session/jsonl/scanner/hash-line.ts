import type { Line } from '../read/line-splitter.ts';
import { hashInMemory, ReducedLine } from './reduced-lines.ts';

/**
 * Computes a number of a line that is another one for other bytes, but for one case in four thousand million.
 * Of no use but to compare it with others of this process.
 */
export function hashLine(line: Line): number {
  const number = line instanceof ReducedLine ? line.hash() : hashInMemory(line.bytes);
  return number ?? hashAnywhere(line.bytes);
}

/** Hashes where the program of the scanner cannot (MurmurHash3). */
function hashAnywhere(bytes: Buffer): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const whole = bytes.length & ~3;
  let hash = bytes.length;
  for (let at = 0; at < whole; at += 4) {
    hash ^= scramble(view.getInt32(at, true));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64;
  }
  let rest = 0;
  for (let at = bytes.length - 1; at >= whole; at -= 1) rest = (rest << 8) | view.getUint8(at);
  hash ^= scramble(rest);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

function scramble(word: number): number {
  const mixed = Math.imul(word, 0xcc9e_2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b87_3593);
}
