import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputBuffer } from '../../../../src/session/jsonl/write/output-buffer.ts';
import { runs } from '../../../harness/runs.ts';
import { CHUNK_BYTES } from '../../../../src/session/jsonl/read/chunks/chunk-pool.ts';

type Piece = string | Uint8Array;

function writeAll(pieces: readonly Piece[]): Buffer[] {
  const written: Buffer[] = [];
  const output = new OutputBuffer((bytes) => written.push(Buffer.from(bytes)));
  for (const piece of pieces) output.add(piece);
  output.flush();
  expect(output.written).toBe(Buffer.concat(written).length);
  output.close();
  return written;
}

const toBytes = (pieces: readonly Piece[]): Buffer =>
  Buffer.concat(pieces.map((piece) => Buffer.from(piece)));

/** Of one to three bytes, halves of pairs, and pairs, in every order; some longer than the memory. */
const text = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'é', '✓', '😀', '\ud83d', '\ude00'), { maxLength: 7 }),
    fc.oneof(fc.constant(1), fc.nat(Math.ceil(CHUNK_BYTES / 3))),
  )
  .map(([units, times]) => units.join('').repeat(times));
const bytes = fc
  .oneof(fc.nat(100), fc.nat(2 * CHUNK_BYTES))
  .map((length) => Uint8Array.from({ length }, (_, index) => index % 251));

describe('an output buffer', () => {
  it('writes every piece as Node would write it alone', () => {
    const property = fc.property(
      fc.array(fc.oneof(text, bytes, fc.constant('\n')), { maxLength: 8 }),
      (pieces) => {
        expect(Buffer.concat(writeAll(pieces)).equals(toBytes(pieces))).toBe(true);
      },
    );
    fc.assert(property, { numRuns: runs(20) });
  });

  it('splits no surrogate pair, wherever a long text is cut', () => {
    const pieces = ['', 'a', 'ab'].map((start) => start + '😀'.repeat(CHUNK_BYTES));
    expect(Buffer.concat(writeAll(pieces)).equals(toBytes(pieces))).toBe(true);
  });

  it('writes line feeds wherever its memory ends', () => {
    for (const length of [CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1]) {
      const pieces = [new Uint8Array(length), '\n', '\n', 'a', '\n'];
      expect(Buffer.concat(writeAll(pieces)).equals(toBytes(pieces))).toBe(true);
    }
  });

  it('writes many small pieces at once', () => {
    const pieces = Array.from({ length: 30_000 }, (_, index) => `line ${index % 10}\n`);
    expect(writeAll(pieces)).toHaveLength(2);
  });

  it('has memory of its own while another one is in use', () => {
    const written: Buffer[] = [];
    const write = (view: Buffer): number => written.push(Buffer.from(view));
    const [outer, inner] = [new OutputBuffer(write), new OutputBuffer(write)];
    outer.add('outer');
    inner.add('inner');
    inner.flush();
    inner.close();
    outer.flush();
    outer.close();
    expect(written.map(String)).toEqual(['inner', 'outer']);
  });
});
