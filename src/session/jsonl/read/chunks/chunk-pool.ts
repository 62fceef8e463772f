const idle: Buffer[] = [];

/** Chunks that somebody lent, all of one memory. */
const lent: Buffer[] = [];

let lentMemory: ArrayBufferLike | undefined;

/**
 * A buffer of `CHUNK_BYTES`, whatever is in it: new memory for each of thousands of files would cost
 * more than reading many of them, and remain until garbage is collected.
 */
export function takeChunk(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
}

/**
 * Takes a chunk to read into: if there is one, a chunk in the memory of the scanner that looks at
 * the bytes.
 */
export function takeChunkToRead(): Buffer {
  return lent.pop() ?? takeChunk();
}

/** Gives a chunk to a later caller; call this once for each that was taken. */
export function giveBackChunk(chunk: Buffer): void {
  (chunk.buffer === lentMemory ? lent : idle).push(chunk);
}

/** Lends chunks to the pool, parts of one memory. There is one lender at most. */
export function lendChunks(memory: ArrayBufferLike, chunks: readonly Buffer[]): void {
  lentMemory = memory;
  lent.push(...chunks);
}

/**
 * How much is read at once, in bytes: as much as fits into a core's own cache while it is looked at.
 * Twice as much took three times as long to read.
 */
export const CHUNK_BYTES = 128 * 1024;
