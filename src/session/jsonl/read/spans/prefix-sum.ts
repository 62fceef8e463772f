import { closeSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { giveBackChunk, takeChunk } from '../chunks/chunk-pool.ts';

/** A checksum of what was read of a file, from its beginning: distinguishes an append from a rewrite. */
export class PrefixSum {
  #bytes = 0;
  #sum = 0;

  /** Adds the bytes that follow those that were added before. */
  add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.#sum = crc32(bytes, this.#sum);
  }

  /** Whether the bytes are a prefix of the file at a path. */
  isPrefixOfFile(path: string): boolean {
    const fd = openSync(path, 'r');
    try {
      return this.isPrefixOf(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** Returns whether an open file still begins with all that was added; reads it again. */
  isPrefixOf(fd: number): boolean {
    const chunk = takeChunk();
    try {
      let sum = 0;
      for (let at = 0; at < this.#bytes;) {
        const count = readSync(fd, chunk, 0, Math.min(chunk.length, this.#bytes - at), at);
        if (count === 0) return false;
        sum = crc32(chunk.subarray(0, count), sum);
        at += count;
      }
      return sum === this.#sum;
    } finally {
      giveBackChunk(chunk);
    }
  }
}
