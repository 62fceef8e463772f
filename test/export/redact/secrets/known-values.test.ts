import { expect, it } from 'vitest';
import { KnownValues } from '../../../../src/export/redact/secrets/known-values.ts';

function create(...values: readonly string[]): KnownValues {
  const known = new KnownValues();
  for (const value of values) known.add(value);
  return known;
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
