import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../../src/session/jsonl/read/line-splitter.ts';

interface Seen {
  number: number;
  offset: number;
  length: number;
  text: string;
  terminated: boolean;
  oversized: boolean;
}

function split(chunks: readonly Buffer[], maxLineBytes?: number): Seen[] {
  const seen: Seen[] = [];
  const splitter = new LineSplitter(
    ({ bytes, ...line }) => {
      seen.push({ ...line, text: bytes.toString('latin1') });
    },
    { maxLineBytes },
  );
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    splitter.push(reused);
    // The caller may reuse its buffer: nothing may still point into it.
    reused.fill(0x7e);
  }
  splitter.end();
  return seen;
}

/** Cuts bytes into chunks of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

describe('LineSplitter', () => {
  it('splits at LF and at nothing else', () => {
    const text = 'a\rb\u2028c\u2029d\u0085e\r\nf\0g';
    const lines = split([Buffer.from(text)]);
    expect(lines.map((line) => Buffer.from(line.text, 'latin1').toString('utf8'))).toEqual([
      'a\rb\u2028c\u2029d\u0085e\r',
      'f\0g',
    ]);
  });

  it('gives every line its number, its offset and its length in bytes', () => {
    const lines = split([Buffer.from('é\n\nabc\n')]);
    expect(lines).toMatchObject([
      { number: 1, offset: 0, length: 2 },
      { number: 2, offset: 3, length: 0 },
      { number: 3, offset: 4, length: 3 },
    ]);
  });

  it('tells a last line without LF from one with', () => {
    expect(split([Buffer.from('a\nb')]).map((line) => line.terminated)).toEqual([true, false]);
    expect(split([Buffer.from('a\n')]).map((line) => line.terminated)).toEqual([true]);
    expect(split([])).toEqual([]);
  });

  it('gives back the input byte for byte, however it comes in pieces', () => {
    const anyBytes = fc
      .array(fc.oneof(fc.constant(0x0a), fc.integer({ min: 0, max: 255 })), { maxLength: 300 })
      .map((bytes) => Buffer.from(bytes));
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(anyBytes, sizes, (bytes, pieces) => {
        const lines = split(cut(bytes, pieces));
        const joined = lines
          .map(({ text, terminated }) => text + (terminated ? '\n' : ''))
          .join('');
        expect(joined).toBe(bytes.toString('latin1'));
        expect(lines).toEqual(split([bytes]));
        for (const { offset, length, text } of lines) {
          expect(bytes.subarray(offset, offset + length).toString('latin1')).toBe(text);
        }
      }),
    );
  });

  it('keeps only the beginning of a line over the limit, and counts on', () => {
    const lines = split(cut(Buffer.from(`${'x'.repeat(10_000)}\nok\n`), [777]), 5000);
    expect(lines).toMatchObject([
      { number: 1, offset: 0, length: 10_000, oversized: true, terminated: true },
      { number: 2, offset: 10_001, length: 2, oversized: false, text: 'ok' },
    ]);
    expect(lines[0]?.text.length).toBeLessThanOrEqual(4096);
  });

  it('keeps a line that is exactly as long as the limit', () => {
    const [line] = split(cut(Buffer.from(`${'x'.repeat(5000)}\n`), [333]), 5000);
    expect(line).toMatchObject({ length: 5000, oversized: false });
    expect(line?.text.length).toBe(5000);
  });

  it('marks a single oversized chunk as oversized without keeping it', () => {
    const [line] = split([Buffer.from(`${'x'.repeat(6000)}\n`)], 5000);
    expect(line).toMatchObject({ length: 6000, oversized: true });
    expect(line?.text.length).toBeLessThanOrEqual(4096);
  });

  it.each([
    { rest: 2_000_000, oversized: true },
    { rest: 1_000_000, oversized: false },
  ])('measures a long line before it keeps more: $rest bytes', ({ rest, oversized }) => {
    const chunk = Buffer.alloc(1_000_000, 'x');
    const [limit, end] = [18_000_000, Buffer.from('x\nok\n')];
    const seen: { oversized: boolean; kept: number; length: number }[] = [];
    const asked: number[] = [];
    const splitter = new LineSplitter(
      (line) => {
        const { length } = line.bytes;
        seen.push({ oversized: line.oversized, kept: length, length: line.length });
      },
      {
        maxLineBytes: limit,
        measure: (most) => {
          asked.push(most);
          return rest;
        },
      },
    );
    for (let count = 0; count < 17; count += 1) splitter.push(chunk);
    splitter.push(end);
    expect(asked).toEqual([1_000_000]);
    expect(seen).toEqual([
      { oversized, kept: oversized ? 4096 : 17_000_001, length: 17_000_001 },
      { oversized: false, kept: 2, length: 2 },
    ]);
  });
});
