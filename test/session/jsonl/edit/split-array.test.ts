import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitArray } from '../../../../src/session/jsonl/edit/split-array.ts';

function split(text: string): string[] {
  const bytes = Buffer.from(text);
  return [...splitArray(bytes)].map(({ offset, length }) =>
    bytes.subarray(offset, offset + length).toString('utf8'),
  );
}

describe('splitArray', () => {
  it('finds the elements of any array, however it is written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.nat(4), (values, indent) => {
        const found = split(JSON.stringify(values, null, indent));
        expect(found.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it('is not misled by brackets, commas and quotes inside strings', () => {
    expect(split('[{"a":"],[\\"}"},2]')).toEqual(['{"a":"],[\\"}"}', '2']);
  });

  it('gives what there is of a file that ends early', () => {
    expect(split('[{"a":1},{"b":"un')).toEqual(['{"a":1}', '{"b":"un']);
  });
});
