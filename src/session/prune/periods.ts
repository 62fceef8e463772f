/** The rules that keep by rank, in the order in which their reasons are given. */
export const PERIODS = ['last', 'hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type Period = (typeof PERIODS)[number];

/** How many of each to keep; infinity stands for all. */
export type PeriodRules = Readonly<Record<Period, number>>;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the calendar period of a moment, in local time; weeks are those of ISO 8601, Monday to
 * Sunday. `last` has no periods: each session, by its `unique`, is one of its own.
 */
export function toPeriod(period: Period, time: number, unique: string): string {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  switch (period) {
    case 'last':
      return unique;
    case 'hourly':
      return `${year}-${month}-${day}T${date.getHours()}`;
    case 'daily':
      return `${year}-${month}-${day}`;
    case 'weekly':
      return toIsoWeek(year, month, day);
    case 'monthly':
      return `${year}-${month}`;
    case 'yearly':
      return `${year}`;
  }
}

/**
 * Returns the ISO week of a day: a week belongs to the year of its Thursday. Computed in UTC, which
 * has no DST.
 */
function toIsoWeek(year: number, month: number, day: number): string {
  const midnight = Date.UTC(year, month - 1, day);
  const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
  const thursday = midnight + (3 - weekday) * DAY_MS;
  const weekYear = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(weekYear, 0, 1)) / (7 * DAY_MS));
  return `${weekYear}-W${week}`;
}
