import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSpans, type Span } from '../../../../../src/session/jsonl/read/spans/read-spans.ts';
import { makeTempDir } from '../../../../temp-dir.ts';
import { runs } from '../../../../harness/runs.ts';
import { CHUNK_BYTES } from '../../../../../src/session/jsonl/read/chunks/chunk-pool.ts';

const SIZE = 3 * CHUNK_BYTES;
const CONTENT = Buffer.from(Uint32Array.from({ length: SIZE / 4 }, (_, index) => index).buffer);

async function writeFile(): Promise<string> {
  const path = join(await makeTempDir(), 'numbers');
  writeFileSync(path, CONTENT);
  return path;
}

/** One after another, as most are, or anywhere. */
const spans = fc.array(
  fc.record({
    jump: fc.option(fc.nat(SIZE)),
    length: fc.oneof(fc.nat(3000), fc.nat(2 * CHUNK_BYTES)),
  }),
  { maxLength: 30 },
);

describe('spans of a file', () => {
  it('are read as they are, in any order', async () => {
    const path = await writeFile();
    const property = fc.asyncProperty(spans, async (steps) => {
      const reader = openSpans(path);
      const read: { span: Span; bytes: Buffer }[] = [];
      let offset = 0;
      for (const { jump, length } of steps) {
        const span = { offset: Math.min(jump ?? offset, SIZE - 1), length: 0 };
        span.length = Math.min(length, SIZE - span.offset);
        read.push({ span, bytes: await reader.read(span, (view) => Buffer.from(view)) });
        offset = span.offset + span.length;
      }
      reader.close();
      const isWrong = ({ span, bytes }: (typeof read)[0]): boolean =>
        !bytes.equals(CONTENT.subarray(span.offset, span.offset + span.length));
      expect(read.filter(isWrong)).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs(30) });
  });

  it('are those of their own file while another one is read', async () => {
    const [one, other] = [openSpans(await writeFile()), openSpans(await writeFile())];
    const words = (at: number) => (bytes: Buffer) => bytes.readUInt32LE(0) === at;
    expect(await one.read({ offset: 0, length: 8 }, words(0))).toBe(true);
    expect(await other.read({ offset: 4000, length: 8 }, words(1000))).toBe(true);
    expect(await one.read({ offset: 8, length: 8 }, words(2))).toBe(true);
    one.close();
    const next = openSpans(await writeFile());
    expect(await next.read({ offset: 400, length: 8 }, words(100))).toBe(true);
    expect(await other.read({ offset: 4008, length: 8 }, words(1002))).toBe(true);
    other.close();
    next.close();
  });

  it.each([
    ['next to each other', 10, 1000],
    ['far apart', CHUNK_BYTES * 2, 1000],
    ['longer than what is read ahead', 10, 2 * CHUNK_BYTES],
  ])('are not there when the file has become shorter: %s', async (_, offset, length) => {
    const path = await writeFile();
    const reader = openSpans(path);
    truncateSync(path, offset + length - 1);
    await expect(reader.read({ offset, length }, String)).rejects.toMatchObject({
      code: 'ECHANGED',
      path,
    });
    reader.close();
  });
});
