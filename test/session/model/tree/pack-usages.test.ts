import { expect, it } from 'vitest';
import {
  areSums,
  getLastModel,
  joinUsages,
  packUsages,
  sumUsagesAt,
  toKeyed,
  visitUsages,
} from '../../../../src/session/model/tree/pack-usages.ts';
import { type EntryUsage, NO_USAGE } from '../../../../src/session/model/usage.ts';

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: 0.1 };

const usages: readonly EntryUsage[] = [
  { key: 'a1', request: 'b2', isUnique: true, model: 'one', time: 1_700_000_000_000, usage },
  { key: 'c3', request: undefined, isUnique: undefined, model: undefined, time: 5, usage },
  { key: '', request: undefined, isUnique: undefined, model: 'two', time: NaN, usage: NO_USAGE },
  { key: '', request: undefined, isUnique: undefined, model: undefined, time: -1, usage },
];

type OfUsages = Parameters<typeof visitUsages>[0];

const toCounted = (some: readonly EntryUsage[]): unknown =>
  some.map(({ model, time, usage: used }) => ({ model, time, usage: used }));

function listVisited(summary: OfUsages): unknown {
  const visited: unknown[] = [];
  visitUsages(summary, ({ model, time, usage: used }, index) => {
    expect(index).toBe(visited.length);
    visited.push({ model, time, usage: { ...used } });
  });
  return visited;
}

it('visits usages as they were packed, or not', () => {
  const packed: OfUsages = { packedUsages: packUsages(usages) };
  expect(listVisited(packed)).toStrictEqual(toCounted(usages));
  expect(listVisited({ entryUsages: usages })).toStrictEqual(toCounted(usages));
  expect(listVisited({ packedUsages: packUsages([]) })).toStrictEqual([]);
  expect(listVisited({})).toStrictEqual([]);
});

it('visits them from JSON, too, where a time that is none is null', () => {
  const { numbers, ...packed } = packUsages(usages);
  const written = JSON.stringify({ ...packed, numbers: Array.from(numbers) });
  const { models, numbers: read } = JSON.parse(written) as ReturnType<typeof packUsages>;
  expect(listVisited({ packedUsages: { models, numbers: read } })).toStrictEqual(toCounted(usages));
});

it('has a hash for each key and request, and none for an empty one', () => {
  const [one, other, sum] = usages as readonly [EntryUsage, EntryUsage, EntryUsage];
  const same = { ...other, key: 'a1', request: 'b2' };
  const { count, keyAt, requestAt, isUniqueAt } = toKeyed(packUsages([one, other, sum, same]));
  expect(count).toBe(4);
  expect(keyAt(0)).not.toBe(keyAt(1));
  expect([keyAt(3), requestAt(3)]).toEqual([keyAt(0), requestAt(0)]);
  expect([requestAt(1), keyAt(2)]).toEqual([0, 0]);
  expect([0, 1, 2, 3].map(isUniqueAt)).toEqual([true, false, false, false]);
  expect(Number.isSafeInteger(keyAt(0))).toBe(true);
});

it('separates sums from usages', () => {
  expect(areSums(packUsages(usages.filter(({ key }) => key === '')))).toBe(true);
  expect(areSums(packUsages(usages))).toBe(false);
});

it('joins those of several files, packed or not', () => {
  const [one, other, sum] = usages as readonly [EntryUsage, EntryUsage, EntryUsage];
  const files = [[one, other], [], [sum, one]];
  const expected = toCounted([one, other, sum, one]);
  expect(listVisited(joinUsages(files.map((entryUsages) => ({ entryUsages }))))).toStrictEqual(
    expected,
  );
  const packed = files.map((some) => ({ packedUsages: packUsages(some) }));
  const written = JSON.stringify(packed, (_, value: unknown) =>
    value instanceof Float64Array ? Array.from(value) : value,
  );
  for (const some of [packed, JSON.parse(written) as OfUsages[]]) {
    const joined = joinUsages(some);
    expect(listVisited(joined)).toStrictEqual(expected);
    const { keyAt } = toKeyed(joined.packedUsages ?? packUsages([]));
    expect(keyAt(3)).toBe(keyAt(0));
  }
});

it.each<[string, OfUsages]>([
  ['packed', { packedUsages: packUsages(usages) }],
  ['plain', { entryUsages: usages }],
])('sums %s usages at some places, and finds their last model', (_, summary) => {
  expect(sumUsagesAt(summary, new Set([1, 3])).input).toBe(2);
  expect(sumUsagesAt(summary, new Set())).toEqual(NO_USAGE);
  expect(getLastModel(summary)).toBe('two');
  expect(getLastModel({})).toBeUndefined();
});
