import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../src/session/jsonl/read/parse-line.ts';
import { getDamage } from '../../../src/session/rules/line-damage.ts';
import { bytesOf } from './plant.ts';

function toLine(text: string, terminated = true): Line {
  const bytes = Buffer.from(text);
  return { number: 2, offset: 0, length: bytes.length, bytes, terminated, oversized: false };
}

/** The fragments of a damaged line, each as its kind and its text. */
function takeApart(text: string, terminated = true): { kind: string | undefined; parts: string[] } {
  const line = toLine(text, terminated);
  const damage = getDamage(line, parseLine(line));
  const parts = damage?.fragments.map(
    ({ kind, start, end }) => `${kind} ${line.bytes.subarray(start, end).toString()}`,
  );
  return { kind: damage?.kind, parts: parts ?? [] };
}

const whole = bytesOf('call').toString();
const cuts = Array.from({ length: whole.length - 1 }, (_, index) => whole.slice(0, index + 1));

describe('a line', () => {
  it('that parses is not damaged, whatever is inside its strings', () => {
    const line = toLine(JSON.stringify({ type: 'custom', data: '}{"type":"x"}{' }));
    expect(getDamage(line, parseLine(line))).toBeUndefined();
  });

  it('that is cut off anywhere is torn at the end of the file, and malformed elsewhere', () => {
    expect(new Set(cuts.map((cut) => takeApart(cut, false).kind))).toEqual(new Set(['torn']));
    expect(new Set(cuts.map((cut) => takeApart(cut).kind))).toEqual(new Set(['malformed']));
  });

  it('gives back the whole record after one that is cut off anywhere', () => {
    for (const cut of cuts) {
      const expected = { kind: 'glued', parts: [`junk ${cut}`, `record ${whole}`] };
      expect(takeApart(`${cut}${whole}`)).toEqual(expected);
    }
  });

  it('gives back the whole record before one that is cut off anywhere', () => {
    for (const cut of cuts) {
      const expected = { kind: 'glued', parts: [`record ${whole}`, `junk ${cut}`] };
      expect(takeApart(`${whole}${cut}`, false)).toEqual(expected);
    }
  });

  it('gives back all whole records around one that is cut off anywhere', () => {
    for (const cut of cuts) {
      expect(takeApart(`${whole}${cut}${whole}${whole}`).parts).toEqual([
        `record ${whole}`,
        `junk ${cut}`,
        `record ${whole}`,
        `record ${whole}`,
      ]);
    }
  });

  it('does not give inner objects of a torn record for records', () => {
    const inner = '{"type":"message","id":"a","message":{"content":[{"type":"text","text":"x"}';
    expect(takeApart(inner).kind).toBe('malformed');
    expect(takeApart(`{"data":[${whole}`, false).kind).toBe('torn');
  });

  it('with NUL bytes instead of the rest of a record keeps what is whole beside them', () => {
    for (const cut of cuts) {
      expect(takeApart(`${cut}\0\0${whole}`).parts).toEqual([
        `junk ${cut}`,
        'nul \0\0',
        `record ${whole}`,
      ]);
    }
  });

  it('with NUL bytes and no whole record keeps the one thing that is not NUL', () => {
    expect(takeApart('\0{"a":\0\0').parts).toEqual(['nul \0', 'rest {"a":', 'nul \0\0']);
    expect(takeApart('\0 \0').parts).toEqual(['nul \0', 'junk  ', 'nul \0']);
    expect(takeApart('{"a":"x\0y"}').kind).toBe('malformed');
  });

  it('of ten thousand records and more is malformed, not taken apart', () => {
    expect(takeApart('{}'.repeat(10_001))).toEqual({ kind: 'malformed', parts: [] });
    expect(takeApart('{}'.repeat(9_999)).parts).toHaveLength(9_999);
  });
});
