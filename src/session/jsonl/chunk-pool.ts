import { CHUNK_BYTES } from './chunk-size.ts';

const idle: Buffer[] = [];

/**
 * A buffer of `CHUNK_BYTES`, whatever is in it: new memory for each of thousands of files would cost
 * more than reading many of them, and stay until garbage is collected.
 */
export function takeChunk(): Buffer {
  return idle.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
}

/** To be called once for each that was taken; then it is someone else's. */
export function giveBackChunk(chunk: Buffer): void {
  idle.push(chunk);
}
