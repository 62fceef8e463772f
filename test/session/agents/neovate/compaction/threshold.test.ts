import { describe, expect, it } from 'vitest';
import { compaction } from '../../../../../src/session/agents/neovate/compaction/compaction.ts';
import { getThreshold } from '../../../../../src/session/agents/neovate/compaction/threshold.ts';
import { isDue } from '../../../../../src/session/compact/is-due.ts';

describe('the threshold of automatic compaction', () => {
  it.each([
    [32_768, 25_600],
    [65_536, 38_536],
    [131_072, 101_072],
    [200_000, 160_000],
    [128_000, 102_400],
    [1_000_000, 960_000],
    [8000, 25_600],
  ])('of a window of %d tokens is %d', (window, threshold) => {
    expect(getThreshold(window)).toBe(threshold);
  });

  it.each([
    ['reached', { enabled: true, reserveTokens: undefined }, 160_000, true],
    ['not reached', { enabled: true, reserveTokens: undefined }, 159_999, false],
    ['turned off', { enabled: false, reserveTokens: undefined }, 190_000, false],
    ['another that a person named', { enabled: true, reserveTokens: 100_000 }, 100_001, true],
  ])('is %s', (_, settings, tokens, due) => {
    expect(isDue(compaction, tokens, 200_000, settings)).toBe(due);
  });
});
