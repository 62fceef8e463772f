import { expect, it } from 'vitest';
import {
  areSums,
  listUsages,
  packUsages,
  unpackSummary,
  unpackUsages,
} from '../../../../src/session/model/tree/pack-usages.ts';
import type { SessionSummary } from '../../../../src/session/model/summary.ts';
import { type EntryUsage, NO_USAGE } from '../../../../src/session/model/usage.ts';

const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: 0.1 };

const usages: readonly EntryUsage[] = [
  { key: 'a1', request: 'b2', isUnique: true, model: 'one', time: 1_700_000_000_000, usage },
  { key: 'c3', request: undefined, isUnique: undefined, model: undefined, time: 5, usage },
  { key: '', request: undefined, isUnique: undefined, model: 'two', time: NaN, usage: NO_USAGE },
  { key: '', request: undefined, isUnique: undefined, model: 'one', time: -1, usage },
];

it('gives back the usages that were packed', () => {
  expect(unpackUsages(packUsages(usages))).toStrictEqual(usages);
  expect(unpackUsages(packUsages([]))).toStrictEqual([]);
});

it('gives them back from JSON, too, where a time that is none is null', () => {
  const { numbers, ...packed } = packUsages(usages);
  const written = JSON.stringify({ ...packed, numbers: Array.from(numbers) });
  expect(unpackUsages(JSON.parse(written))).toStrictEqual(usages);
});

it('keeps sums packed, and lists them', () => {
  const sums = usages.filter(({ key }) => key === '');
  const { entryUsages: _, ...rest } = { entryUsages: sums } as unknown as SessionSummary;
  const summary = { ...rest, packedUsages: packUsages(sums) };
  expect(unpackSummary(summary)).toBe(summary);
  expect(listUsages(summary)).toStrictEqual(sums);
  expect(areSums(packUsages(usages))).toBe(false);
});

it('leaves a summary without packed usages as it is', () => {
  const summary = { path: '/s.jsonl', entryUsages: usages } as unknown as SessionSummary;
  expect(unpackSummary(summary)).toStrictEqual(summary);
  const { entryUsages: _, ...rest } = summary;
  expect(unpackSummary({ ...rest, packedUsages: packUsages(usages) })).toStrictEqual(summary);
});
