import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, LineSplitter } from '../../../../src/session/jsonl/read/line-splitter.ts';
import { hashLine } from '../../../../src/session/jsonl/scanner/hash-line.ts';
import { INPUT_BYTES } from '../../../../src/session/jsonl/scanner/layout.ts';
import { visitReduced } from '../../../../src/session/jsonl/scanner/reduced-lines.ts';
import { runs } from '../../../harness/runs.ts';

/** The hashes of all lines, and how many were parsed. */
function hashLines(text: Buffer): { readonly hashes: number[]; readonly parsed: number } {
  const hashes: number[] = [];
  let parsed = 0;
  const reader = {
    plan: { a: 'whole' },
    visit: (line: Line) => void hashes.push(hashLine(line)),
  } as const;
  const parse = (line: Line): void => {
    parsed += 1;
    reader.visit(line);
  };
  const splitter = new LineSplitter(parse, { skim: (...slice) => visitReduced(reader, ...slice) });
  splitter.push(text);
  splitter.end();
  return { hashes, parsed };
}

describe('the hash of a line', () => {
  it('is the same whether a line was parsed or not', () => {
    const lines = fc.array(fc.string({ maxLength: 100 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lines, (texts) => {
        // The last line has no LF, which has it parsed.
        const line = JSON.stringify({ texts });
        const { hashes, parsed } = hashLines(Buffer.from(`${line}\n${line}\n{}\n${line}`));
        expect(parsed).toBe(1);
        expect(new Set(hashes).size).toBe(2);
      }),
      { numRuns: runs(60) },
    );
  });

  it('is another one for each byte that differs', () => {
    const bytes = Buffer.from(JSON.stringify({ text: 'x'.repeat(70) }));
    const others = Array.from(bytes, (byte, at) => {
      const other = Buffer.from(bytes);
      other[at] = byte ^ 1;
      return other;
    });
    const text = Buffer.concat([bytes, ...others].flatMap((line) => [line, Buffer.from('\n')]));
    expect(new Set(hashLines(text).hashes).size).toBe(others.length + 1);
  });

  it('is there for lines longer than the window', () => {
    const line = JSON.stringify({ text: 'x'.repeat(INPUT_BYTES) });
    const { hashes } = hashLines(Buffer.from(`${line}\n${line}\n`));
    expect(hashes).toEqual([hashes[0], hashes[0]]);
  });
});
