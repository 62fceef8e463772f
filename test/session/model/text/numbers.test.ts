import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../harness/runs.ts';
import {
  formatCost,
  formatCounted,
  formatNumber,
} from '../../../../src/session/model/text/numbers.ts';

describe('formatNumber', () => {
  it.each([
    0,
    7,
    999,
    1000,
    1182,
    123_456,
    1_000_000,
    -5,
    -1234,
    2 ** 53 - 1,
    2 ** 60,
    1.5,
    1e21,
    Number.NaN,
  ])('groups %d as English text does', (value) => {
    expect(formatNumber(value)).toBe(new Intl.NumberFormat('en-US').format(value));
  });
});

describe('formatCounted', () => {
  it('knows one from many', () => {
    expect([0, 1, 1182].map((count) => formatCounted(count, 'entry', 'entries'))).toEqual([
      '0 entries',
      '1 entry',
      '1,182 entries',
    ]);
  });
});

describe('formatCost', () => {
  it('shows two digits, and that a little is not nothing', () => {
    expect([0, 0.001, 0.005, 1234.5].map(formatCost)).toEqual([
      '$0.00',
      '<$0.01',
      '$0.01',
      '$1,234.50',
    ]);
  });

  it('rounds and groups as English text does', () => {
    const english = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map((n) => n / 1000);
    const special = fc.constantFrom(
      -0,
      1.005,
      0.995,
      999.995,
      1e11 + 0.5,
      1e21,
      -0.001,
      Number.NaN,
    );
    const dollars = fc.oneof(cents, fc.double({ noDefaultInfinity: true }), special);
    fc.assert(
      fc.property(dollars, (cost) => {
        fc.pre(!(cost > 0 && cost < 0.005));
        expect(formatCost(cost)).toBe(english.format(cost));
      }),
      { numRuns: runs(2000) },
    );
  });
});
