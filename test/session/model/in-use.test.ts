import { describe, expect, it } from 'vitest';
import { findUse, NOT_HELD } from '../../../src/session/model/in-use.ts';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('a session in use', () => {
  it.each([
    [12_345, DAY, 'changed 12 s ago, within --grace 1d'],
    [-MINUTE, 10 * MINUTE, 'changed 0 s ago, within --grace 10min'],
    [59 * MINUTE, 90 * MINUTE, 'changed 59 min ago, within --grace 90min'],
    [23 * HOUR, DAY, 'changed 23 h ago, within --grace 1d'],
    [50 * HOUR, 14 * DAY, 'changed 2 d ago, within --grace 14d'],
    [1000, 1500, 'changed 1 s ago, within --grace 1.5s'],
    [-MINUTE - 1, 0, 'has a timestamp in the future'],
    [10 * MINUTE, 10 * MINUTE, undefined],
    [0, 0, undefined],
  ])('%i ms ago, with a grace time of %i ms: %s', (age, grace, reason) => {
    expect(findUse(NOW - age, NOT_HELD, { grace, now: NOW })).toBe(reason);
  });

  it('is one that its agent has open, or has noted later than it was changed', () => {
    const find = (isOpen: boolean) =>
      findUse(NOW - DAY, { isOpen, updatedAt: NOW - 2000 }, { grace: HOUR, now: NOW });
    expect(find(true)).toBe('is open in its agent');
    expect(find(false)).toBe('used 2 s ago, within --grace 1h');
  });
});
