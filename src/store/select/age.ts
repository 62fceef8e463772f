import { UsageError } from '../../errors.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);
const MONTHS: ReadonlyMap<string, number> = new Map([
  ['mo', 1],
  ['y', 12],
]);
const AGE = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i;
const DAY = /^(\d{4})-(\d{2})(?:-(\d{2}))?/;
const AN_AGE = 'an age (90min, 12h, 30d, 2w, 6mo, 1y)';
const ISO_DATE = /^\d{4}-\d{2}(-\d{2})?([T ].*)?$/;

/**
 * The moment that an age (`90min 12h 30d 2w 6mo 1y`, back from `now`) or a date (ISO 8601, local
 * time unless it says otherwise) stands for, in milliseconds.
 * @throws UsageError naming the option.
 */
export function parseMoment(text: string, option: string, now: number): number {
  const trimmed = text.trim();
  if (ISO_DATE.test(trimmed)) {
    requireDay(trimmed, option);
    // A bare date or month is its start here, not in Greenwich.
    const [, month, day = '-01'] = /^(\d{4}-\d{2})(-\d{2})?$/.exec(trimmed) ?? [];
    const time = new Date(month === undefined ? trimmed : `${month}${day}T00:00`).getTime();
    if (!Number.isNaN(time)) return time;
  }
  return subtractAge(trimmed, { option, now, expected: `${AN_AGE} or a date (2026-03-31)` });
}

/** JavaScript takes 31 February for 3 March. */
function requireDay(text: string, option: string): void {
  const [, year = 0, month = 1, day = 1] = (DAY.exec(text) ?? []).map((part) => Number(part ?? 1));
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month >= 1 && month <= 12 && day >= 1 && day <= lastDay) return;
  throw new UsageError(`${option} ${text}: this day does not exist`);
}

/** Milliseconds of an age, months and years counted back from `now`. */
export function parseAge(text: string, option: string, now: number): number {
  if (text.trim() === '0') return 0;
  return now - subtractAge(text.trim(), { option, now, expected: AN_AGE });
}

interface AgeTerms {
  readonly option: string;
  readonly now: number;
  /** The forms that the option takes, in words. */
  readonly expected: string;
}

function subtractAge(text: string, { option, now, expected }: AgeTerms): number {
  const [, amount = '', written = ''] = AGE.exec(text) ?? [];
  const unit = written.toLowerCase();
  if (unit === 'm') {
    throw new UsageError(`${option} ${text}: minutes or months? Write ${amount}min or ${amount}mo`);
  }
  const length = UNITS.get(unit);
  if (length !== undefined) return now - Number(amount) * length;
  const months = MONTHS.get(unit);
  if (months !== undefined) {
    const count = Number(amount) * months;
    // Rounded, a part of a month may be none: then everything would be older.
    if (count <= MAX_MONTHS && !Number.isInteger(count)) {
      throw new UsageError(`${option} ${text}: expected whole months; use days, such as 10d`);
    }
    return subtractMonths(now, count);
  }
  throw new UsageError(`${option} ${text}: expected ${expected}`);
}

/** The most months: more than any calendar has. */
const MAX_MONTHS = 4_000_000;

/**
 * Returns the same day of an earlier month, or that month's last; for an age that no calendar has,
 * the beginning of time.
 */
function subtractMonths(now: number, months: number): number {
  if (months > MAX_MONTHS) return Number.NEGATIVE_INFINITY;
  const date = new Date(now);
  const month = date.getMonth() - months;
  const lastDay = new Date(date.getFullYear(), month + 1, 0).getDate();
  // Both at once: this hour can be missing on the first of that month.
  date.setMonth(month, Math.min(date.getDate(), lastDay));
  return Number.isNaN(date.getTime()) ? Number.NEGATIVE_INFINITY : date.getTime();
}
