/** Frames of zstd that are made by hand, of blocks that are not compressed: of any text, and of any fault. */

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const MAX_BLOCK = 128 * 1024;

/** A frame of these blocks, whose window is `2 ** windowLog` bytes. */
export function makeFrame(blocks: readonly Buffer[], windowLog = 17): Buffer {
  return Buffer.concat([MAGIC, Buffer.from([0, (windowLog - 10) << 3]), ...blocks]);
}

/** Some text as one frame. */
export function toZstd(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text);
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += MAX_BLOCK) {
    const part = bytes.subarray(at, at + MAX_BLOCK);
    blocks.push(makeHeader(part.length, 0, at + MAX_BLOCK >= bytes.length), part);
  }
  return makeFrame(blocks);
}

/** A block that stands for one byte again and again. */
export function repeatByte(byte: number, isLast: boolean, times = MAX_BLOCK): Buffer {
  return Buffer.concat([makeHeader(times, 1, isLast), Buffer.from([byte])]);
}

/** What readers of zstd pass over. */
export function makeSkippable(bytes: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x18_4d_2a_50, 0);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

function makeHeader(size: number, type: 0 | 1, isLast: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (type << 1) | Number(isLast), 0, 3);
  return header;
}
