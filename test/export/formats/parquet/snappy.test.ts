import fc from 'fast-check';
import { snappyUncompress } from 'hyparquet';
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import { expect, it } from 'vitest';
import { compress } from '../../../../src/export/formats/parquet/snappy.ts';

/** Bytes of which more or fewer are repeated, from nearby and from too far away. */
const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('a', 'abcd', 'abcdefgh', 'a line of text\n').map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.uint8Array({ maxLength: 9 }), fc.nat(9)).map(([bytes, times]) => {
      return Buffer.concat(Array.from({ length: times }, () => bytes));
    }),
    fc.constantFrom(300, 70_000).map((size) => makeNoise(size)),
  ),
  { maxLength: 30 },
);

it('compresses any bytes as the function that it stands for does', () => {
  const run = fc.check(
    fc.property(pieces, (parts) => isSame(Buffer.concat(parts))),
    { numRuns: 200 },
  );
  expect(run.counterexample).toBeNull();
});

it.each([0, 1, 14, 15, 16, 61, 256, 65_537, 16_777_218])('compresses %i bytes', (size) => {
  expect(isSame(makeNoise(size))).toBe(true);
  expect(isSame(Buffer.alloc(size))).toBe(true);
});

it('compresses a part of a larger buffer', () => {
  expect(isSame(makeNoise(1000).subarray(13, 900))).toBe(true);
});

/** Returns whether the result is that of the other function, and can be read. */
function isSame(bytes: Buffer): boolean {
  const compressed = Buffer.from(compress(bytes));
  const text = new Uint8Array(bytes.length);
  snappyUncompress(compressed, text);
  return compressed.equals(snappyCompress(bytes)) && bytes.equals(text);
}

/** Bytes without a repetition, always the same. */
function makeNoise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let state = 1;
  for (let at = 0; at < size; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}
