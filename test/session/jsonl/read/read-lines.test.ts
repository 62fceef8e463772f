import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Line, LineSkimmer } from '../../../../src/session/jsonl/read/line-splitter.ts';
import { readLines } from '../../../../src/session/jsonl/read/read-lines.ts';
import { PrefixSum } from '../../../../src/session/jsonl/read/spans/prefix-sum.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { runs } from '../../../harness/runs.ts';
import { CHUNK_BYTES } from '../../../../src/session/jsonl/read/chunks/chunk-pool.ts';

const LF = 0x0a;
const SKIMMED = 's'.charCodeAt(0);

interface Seen {
  readonly number: number;
  readonly offset: number;
  readonly text: string;
}

/** Every line of a file, with its LF; those that begin with an `s` are skimmed. */
async function readAll(path: string): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const skim: LineSkimmer = (chunk, start, line, offset) => {
    let [at, lines] = [start, 0];
    while (chunk[at] === SKIMMED) {
      const end = chunk.indexOf(LF, at);
      if (end === -1) break;
      const text = chunk.toString('latin1', at, end + 1);
      seen.push({ number: line + lines, offset: offset + at - start, text });
      [at, lines] = [end + 1, lines + 1];
    }
    return { lines, bytes: at - start };
  };
  await readLines(
    path,
    ({ number, offset, bytes, terminated }) => {
      seen.push({ number, offset, text: bytes.toString('latin1') + (terminated ? '\n' : '') });
    },
    { skim },
  );
  return seen;
}

describe('readLines', () => {
  it('gives every byte once, whatever is on the edge of what is read at once', async () => {
    const path = join(await makeTempDir(), 'a.jsonl');
    const near = (length: number) => fc.integer({ min: length - 3, max: length + 3 });
    const length = fc.oneof(
      { weight: 6, arbitrary: fc.nat(2000) },
      fc.nat(CHUNK_BYTES),
      ...[0.25, 0.5, 1, 1.5, 2].map((times) => near(times * CHUNK_BYTES)),
    );
    const line = fc.tuple(fc.constantFrom('s', 'v', '\0'), length);
    const file = fc.tuple(fc.array(line, { maxLength: 40 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(file, async ([lines, isEnded]) => {
        // Each byte tells where in its line it is.
        const texts = lines.map(([first, size], index) => {
          const rest = Array.from({ length: Math.ceil(size / 8) }, (_, at) =>
            String(index * 100_000 + at).padStart(8, ' '),
          );
          return `${first}${rest.join('').slice(0, size)}\n`;
        });
        const text = isEnded ? texts.join('') : texts.join('').slice(0, -1);
        await writeFile(path, text);
        const seen = await readAll(path);
        expect(seen.map((one) => one.text).join('') === text).toBe(true);
        expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => index + 1));
        let offset = 0;
        for (const one of seen) {
          expect(one.offset).toBe(offset);
          offset += one.text.length;
        }
      }),
      { numRuns: runs(12) },
    );
  });

  it('reads little where the first line is enough, and that line wherever it ends', async () => {
    const path = join(await makeTempDir(), 'a.jsonl');
    for (const size of [10, 16_383, 16_384, 16_385, 50_000, 400_000]) {
      const first = 'v'.repeat(size);
      await writeFile(path, `${first}\n${'rest\n'.repeat(100_000)}`);
      const read: number[] = [];
      const seen: string[] = [];
      const sum = new PrefixSum();
      sum.add = ({ length }) => void read.push(length);
      const visit = ({ bytes }: Line): void => void (seen.length < 1 && seen.push(String(bytes)));
      await readLines(path, visit, { isDone: () => seen.length > 0, sum });
      expect(seen[0] === first).toBe(true);
      expect(Math.max(...read)).toBeLessThan(2 * size + 20_000);
    }
  });
});
