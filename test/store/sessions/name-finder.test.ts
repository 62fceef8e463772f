import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNameFinder } from '../../../src/store/sessions/sidecars/name-finder.ts';

/** Few letters, so that names overlap, are in each other and are in the texts. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 8 });

it('finds the names that a text includes, and no others', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é'), maxLength: 60 });
  const property = fc.property(fc.uniqueArray(word, { maxLength: 30 }), text, (names, one) => {
    const found = new Set(createNameFinder(names)(Buffer.from(one)));
    expect([...found].toSorted()).toEqual(names.filter((name) => one.includes(name)).toSorted());
  });
  fc.assert(property, { numRuns: 2000 });
});

it('finds a name at either end of a text, and one that ends like another', () => {
  const find = createNameFinder(['calm-red-fox', 'red-fox', 'calm-red-foxes']);
  expect([...new Set(find(Buffer.from('calm-red-fox')))]).toEqual(['calm-red-fox', 'red-fox']);
  expect([...find(Buffer.from('red-fo'))]).toEqual([]);
});
