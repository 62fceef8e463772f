import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { parseMoment } from '../../../src/store/select/age.ts';
import { parseSize } from '../../../src/store/select/size.ts';

const NOW = new Date(2026, 4, 31, 12, 0, 0).getTime();
const DAY = 86_400_000;

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('parseMoment', () => {
  it.each(['2026-03', '2026-03-01'])('begins %s here, and not in Greenwich', (text) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(parseMoment(text, '--older-than', NOW)).toBe(Date.parse('2026-02-28T15:00:00Z'));
  });

  it('counts a month back where clocks skip this hour on the first of that month', () => {
    vi.stubEnv('TZ', 'America/Asuncion');
    const now = Date.parse('2023-11-15T00:30-03:00');
    const before = Date.parse('2023-10-15T00:30-03:00');
    expect(parseMoment('1mo', '--older-than', now)).toBe(before);
  });

  it.each([
    ['90min', NOW - 90 * 60_000],
    ['12h', NOW - DAY / 2],
    ['30d', NOW - 30 * DAY],
    ['2w', NOW - 14 * DAY],
    ['1.5h', NOW - 90 * 60_000],
    ['1y', new Date(2025, 4, 31, 12).getTime()],
    ['1mo', new Date(2026, 3, 30, 12).getTime()],
    ['3mo', new Date(2026, 1, 28, 12).getTime()],
    ['1.5y', new Date(2024, 10, 30, 12).getTime()],
    ['9999y', new Date(-7973, 4, 31, 12).getTime()],
    ['300000y', Number.NEGATIVE_INFINITY],
    [`${'9'.repeat(400)}mo`, Number.NEGATIVE_INFINITY],
    ['2026-03-31', new Date(2026, 2, 31).getTime()],
    ['2024-02-29', new Date(2024, 1, 29).getTime()],
    ['2026-03', new Date(2026, 2, 1).getTime()],
    ['2026-03-31T10:00:00Z', Date.UTC(2026, 2, 31, 10)],
    ['2026-03-31T10:00', new Date(2026, 2, 31, 10).getTime()],
  ])('reads %s', (text, expected) => {
    expect(parseMoment(text, '--older-than', NOW)).toBe(expected);
  });

  it.each(['0.01y', '0.4mo', '1.25mo'])('refuses %s, which is not whole months', (text) => {
    expect(() => parseMoment(text, '--older-than', NOW)).toThrow('expected whole months');
  });

  it('refuses a bare m and asks which unit is meant', () => {
    expect(() => parseMoment('5m', '--older-than', NOW)).toThrow('5min or 5mo');
  });

  it.each([
    '',
    '5',
    'd',
    '-3d',
    '3 moons',
    '2026-13-01',
    '1e3d',
    '2026-02-29',
    '2026-04-31T10:00Z',
    '2026-00-10',
    '2026-01-00',
  ])('refuses %j', (text) => {
    expect(() => parseMoment(text, '--older-than', NOW)).toThrow(UsageError);
  });
});

describe('parseSize', () => {
  it.each([
    ['0', 0],
    ['500kB', 500_000],
    ['10MB', 10_000_000],
    ['2GiB', 2 * 1024 ** 3],
    ['1.5 mb', 1_500_000],
  ])('reads %s', (text, expected) => {
    expect(parseSize(text, '--larger-than')).toBe(expected);
  });

  it.each(['', '10MX', '-1kB', 'big'])('refuses %j', (text) => {
    expect(() => parseSize(text, '--larger-than')).toThrow('500kB, 10MB or 2GiB');
  });
});
