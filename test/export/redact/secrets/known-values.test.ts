import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KnownValues } from '../../../../src/export/redact/secrets/known-values.ts';
import { isProportional } from '../../../harness/proportional.ts';
import { runs } from '../../../harness/runs.ts';

function create(...values: readonly string[]): KnownValues {
  const known = new KnownValues();
  for (const value of values) known.add(value);
  return known;
}

/** The longest value that ends at each place. */
function findOneByOne(values: readonly string[], text: string): readonly object[] {
  const longestFirst = values.toSorted((one, other) => other.length - one.length);
  return Array.from({ length: text.length }, (_, index) => index + 1).flatMap((end) => {
    const value = longestFirst.find((one) => text.endsWith(one, end));
    return value === undefined ? [] : { value, start: end - value.length, end };
  });
}

it('finds every value wherever it stands, of several that end together the longest', () => {
  const known = create('secret', 'top-secret', 'cret-key');
  expect(known.find('a top-secret-key, a secret')).toEqual([
    { value: 'top-secret', start: 2, end: 12 },
    { value: 'cret-key', start: 8, end: 16 },
    { value: 'secret', start: 20, end: 26 },
  ]);
  expect(create().find('secret')).toEqual([]);
});

it('finds most of a value that is cut off, also where a longer one begins before it', () => {
  const known = create(
    'Zk4tR9wQ7mB2xLp5',
    'sid=Zk4tR9wQ7mB2xLp5; theme=dark; language=en; other=1234567890',
  );
  expect(known.find('sid=Zk4tR9wQ7mB…')).toEqual([
    { value: 'Zk4tR9wQ7mB2xLp5', start: 4, end: 15 },
  ]);
});

it('finds what looking for each value by itself finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß'), minLength: 1, maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', 'x'), maxLength: 200 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), text, (values, read) => {
      expect(create(...values).find(read)).toEqual(findOneByOne(values, read));
    }),
    { numRuns: runs(200) },
  );
});

it('finds what was learnt later, and what others know, too', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß'), minLength: 1, maxLength: 8 });
  const words = fc.array(word, { maxLength: 12 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', 'x'), maxLength: 200 });
  fc.assert(
    fc.property(words, words, text, (known, learnt, read) => {
      const values = new KnownValues(create(...known));
      for (const [index, value] of learnt.entries()) {
        values.add(value);
        const all = [...known, ...learnt.slice(0, index + 1)];
        expect(values.find(read)).toEqual(findOneByOne(all, read));
      }
    }),
    { numRuns: runs(200) },
  );
});

it('finds values of more states than have a row', () => {
  const values = Array.from({ length: 800 }, (_, index) =>
    String.fromCharCode(0x4e00 + index, 0x4e00, 0x4e01, 0x4e00 + (index % 7), 0x4e02),
  );
  const text = values.map((value, index) => value.slice(index % 5)).join('');
  const found = create(...values).find(text);
  expect(found).toEqual(findOneByOne(values, text));
  expect(found.length).toBeGreaterThan(100);
});

it.each([
  ['aaaa', 'a'],
  [`${'a'.repeat(400)}b`, 'a'],
  [`b${'a'.repeat(400)}`, 'a'],
  ['abababc', 'ab'],
])('takes twice the steps for twice the text, whatever is looked for', (value, piece) => {
  const count = (length: number): number => {
    let steps = 0;
    create(value, `${value}x`, `x${value}`).find(piece.repeat(length), () => (steps += 1));
    return steps;
  };
  expect(count(20_000)).toBeLessThan(2 * count(10_000) + 1000);
  expect(count(10_000)).toBeLessThan(3 * 10_000 * piece.length);
});

it('takes time in proportion to the values where each is learnt between two texts', async () => {
  const makeValues = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${(index * 7919).toString(36)}-${index}-value`);
  const learn = (values: readonly string[]): void => {
    const known = new KnownValues();
    for (const value of values) {
      known.add(value);
      known.find(value);
    }
  };
  expect(await isProportional(500, makeValues, learn)).toBe(true);
});
