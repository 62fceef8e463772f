import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { splitArray } from '../../../../src/session/jsonl/edit/split-array.ts';

function split(text: string): { text: string; line: number }[] {
  const bytes = Buffer.from(text);
  return [...splitArray(bytes)].map(({ offset, length, line }) => ({
    text: bytes.subarray(offset, offset + length).toString('utf8'),
    line,
  }));
}

describe('splitArray', () => {
  it('finds the elements of any array, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(4), (values, indent) => {
        const found = split(JSON.stringify(values, null, indent));
        expect(found.map(({ text }) => JSON.parse(text))).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
      }),
    );
  });

  it('is not misled by brackets, commas and quotes inside strings', () => {
    expect(split('[{"a":"],[\\"}"},2]').map(({ text }) => text)).toEqual(['{"a":"],[\\"}"}', '2']);
  });

  it('says on which line an element begins', () => {
    expect(split('[\n  {"a": 1},\n\n  {\n"b": 2 },3\n]').map(({ line }) => line)).toEqual([
      2, 4, 5,
    ]);
  });

  it('gives what there is of a file that ends early', () => {
    expect(split('[{"a":1},{"b":"un').map(({ text }) => text)).toEqual(['{"a":1}', '{"b":"un']);
  });

  it('searches no file to its end for each element of one long line', () => {
    const text = Buffer.from(`[${'{"a":1},'.repeat(50)}1]`);
    const whole = vi.spyOn(text, 'indexOf');
    expect([...splitArray(text)]).toHaveLength(51);
    expect(whole.mock.calls.filter(([what]) => what === 0x0a)).toEqual([]);
  });
});
