import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  formatAgo,
  formatCounted,
  formatRecordedCost,
  formatSize,
  formatTimeTitle,
} from '../../../src/report/text/numbers.ts';

const NOW = new Date(2026, 4, 20, 15, 0).getTime();
const MINUTE = 60_000;

describe('formatAgo', () => {
  it.each([
    [new Date(2026, 4, 20, 14, 59, 40), 'just now'],
    [new Date(2026, 4, 20, 14, 20), '40min ago'],
    [new Date(2026, 4, 20, 9, 0), '6h ago'],
    [new Date(2026, 4, 20, 0, 1), '14h ago'],
    [new Date(2026, 4, 19, 23, 0), 'yesterday'],
    [new Date(2026, 4, 18, 1, 0), '2d ago'],
    [new Date(2026, 1, 20, 1, 0), '89d ago'],
    [new Date(2025, 10, 20, 1, 0), '2025-11-20'],
    [new Date(2027, 0, 1), '2027-01-01'],
  ])('says of %s: %s', (date, expected) => {
    expect(formatAgo(date.toISOString(), NOW)).toBe(expected);
  });

  it('calls what was a few hours ago by hours, also across midnight', () => {
    const night = new Date(2026, 4, 20, 1, 0).getTime();
    expect(formatAgo(new Date(night - 130 * MINUTE).toISOString(), night)).toBe('2h ago');
  });
});

describe('formatSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [31_000, '31 kB'],
    [999_600, '1.0 MB'],
    [1_800_000, '1.8 MB'],
    [4.2e9, '4.2 GB'],
  ])('writes %i as %s', (bytes, expected) => {
    expect(formatSize(bytes)).toBe(expected);
  });
});

it('writes costs and counts as people read them', () => {
  const costs = [0, 0.00002, 0.0049, 0.005, 0.0123, 12.3, 1234.5].map(formatRecordedCost);
  expect(costs).toEqual(['', '<$0.01', '<$0.01', '$0.01', '$0.01', '$12.30', '$1,234.50']);
  expect(formatCounted(1, 'session')).toBe('1 session');
  expect(formatCounted(2725, 'session')).toBe('2,725 sessions');
});

it.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['', 'UTC'],
  ['No/Such', 'UTC'],
  ['UTC+3', 'UTC-03:00'],
  ['UTC-3', 'UTC+03:00'],
])('names the zone of local times, TZ=%s as %s', (zone, expected) => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('TZ', zone);
  expect(formatTimeTitle()).toBe(`TIME (${expected})`);
});
