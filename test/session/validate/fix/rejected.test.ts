import { describe, expect, it } from 'vitest';
import { formatRejected } from '../../../../src/session/validate/fix/rejected.ts';

const MIB = 1024 * 1024;

function format(
  bytes: Buffer,
): { text?: string; base64?: string; byteOffset: number; time: string }[] {
  const piece = { line: 7, byteOffset: 100, length: bytes.length, rule: 'line-torn', bytes };
  return Array.from(formatRejected([piece], '/a.jsonl', 0), (line) => JSON.parse(line.toString()));
}

describe('formatRejected', () => {
  it('writes text with where it was, from what file, by which rule and when', () => {
    expect(format(Buffer.from('{"a":"\u2028\0'))).toEqual([
      {
        path: '/a.jsonl',
        line: 7,
        byteOffset: 100,
        rule: 'line-torn',
        time: '1970-01-01T00:00:00.000Z',
        text: '{"a":"\u2028\0',
      },
    ]);
  });

  it('ends every line with a line feed and has none within', () => {
    const piece = { line: 1, byteOffset: 0, length: 3, rule: 'r', bytes: Buffer.from('a\nb') };
    const [line] = formatRejected([piece], '/a', 0);
    expect(line?.indexOf('\n')).toBe((line?.length ?? 0) - 1);
  });

  it('cuts a long piece into lines that together are all of it', () => {
    const bytes = Buffer.from('é'.repeat(5 * MIB));
    const lines = format(Buffer.concat([Buffer.from('a'), bytes]));
    expect(lines.map(({ byteOffset }) => byteOffset)).toEqual([100, 100 + 4 * MIB, 100 + 8 * MIB]);
    const parts = lines.map(({ text, base64 }) =>
      text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text),
    );
    expect(Buffer.concat(parts).subarray(1).equals(bytes)).toBe(true);
  });
});
