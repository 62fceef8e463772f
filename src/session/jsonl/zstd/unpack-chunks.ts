import { Unpacker } from './unpacker.ts';
import { takeZstd } from './zstd.ts';

const PIECE_BYTES = 128 * 1024;

/**
 * The text of compressed bytes that come a piece at a time. Each piece of it is gone when the next is asked for.
 * @throws UnpackError if they are not zstd, are damaged, end early, or are a bomb.
 */
export async function* unpackChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unpacker = new Unpacker(await takeZstd());
  const piece = Buffer.alloc(PIECE_BYTES);
  let packed: Buffer = Buffer.alloc(0);
  let isEnded = false;
  const readPacked = (into: Buffer): number => {
    if (packed.length === 0 && !isEnded) throw new NotYet();
    const count = packed.copy(into);
    packed = packed.subarray(count);
    return count;
  };
  function* unpack(): Generator<Buffer> {
    for (;;) {
      const count = read(unpacker, piece, readPacked);
      if (count === 0) return;
      yield piece.subarray(0, count);
    }
  }
  try {
    for await (const chunk of chunks) {
      packed = chunk;
      yield* unpack();
    }
    isEnded = true;
    yield* unpack();
  } finally {
    unpacker.close();
  }
}

/** Interrupts the unpacker until the next bytes are there. */
class NotYet extends Error {}

function read(unpacker: Unpacker, into: Buffer, readPacked: (into: Buffer) => number): number {
  try {
    return unpacker.read(into, readPacked);
  } catch (error) {
    if (error instanceof NotYet) return 0;
    throw error;
  }
}
