import { describe, expect, it } from 'vitest';
import { formatProgress } from '../../../src/report/text/progress.ts';

const state = { label: 'Reading', value: 1200, total: 2725, elapsedMs: 4000, columns: 80 };

describe('progress', () => {
  it('tells how far it is, how fast, and how long it takes', () => {
    expect(formatProgress(state)).toBe(
      'Reading ███████████░░░░░░░░░░░░░ 1,200/2,725  300/s  6s left',
    );
  });

  it('does not guess at the start', () => {
    expect(formatProgress({ ...state, value: 0 })).toBe(`Reading ${'░'.repeat(24)} 0/2,725`);
    expect(formatProgress({ ...state, value: 9, elapsedMs: 30 })).not.toContain('/s');
    expect(formatProgress({ ...state, value: 9 })).toMatch(/ 9\/2,725 {2}2\.3\/s$/);
  });

  it.each([
    [{ value: 5, total: 10, elapsedMs: 10_000 }, '0.5/s  10s left'],
    [{ value: 200, total: 3200, elapsedMs: 20_000 }, '10/s  5min 00s left'],
    [{ value: 10_000, total: 90_000, elapsedMs: 1_000_000 }, '10/s  2h 13min left'],
    [{ value: 10, total: 10, elapsedMs: 1000 }, '10/s  0s left'],
  ])('says %j as %s', (some, text) => {
    expect(formatProgress({ ...state, ...some })).toContain(text);
  });

  it.each([200, 80, 60, 45, 30, 10, 1])('fits a screen of %i columns', (columns) => {
    expect(formatProgress({ ...state, columns }).length).toBeLessThan(Math.max(columns, 1));
  });
});
