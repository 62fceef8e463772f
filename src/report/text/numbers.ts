import { formatCounted, formatNumber } from '../../session/model/text/numbers.ts';

export {
  formatRecordedCost,
  formatCounted,
  formatNumber as formatCount,
} from '../../session/model/text/numbers.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The most days that are counted: beyond this, a date says more. */
const MAX_DAYS = 99;

/** Bytes in units of 1000, as `1.8 MB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit]}`;
}

/** Formats how long ago a time was; as a date if that is long ago, or in the future. */
export function formatAgo(iso: string, now: number): string {
  const time = Date.parse(iso);
  const age = now - time;
  if (!(age >= -MINUTE)) return formatDay(time);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)}min ago`;
  const days = countMidnights(time, now);
  if (days === 0 || age < 12 * HOUR) return `${Math.floor(age / HOUR)}h ago`;
  if (days === 1) return 'yesterday';
  return days <= MAX_DAYS ? `${days}d ago` : formatDay(time);
}

/** The local date, as `2025-11-20`. */
export function formatDay(time: number): string {
  return toDay(new Date(time));
}

function toDay(date: Date): string {
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

/** The local time, as `2025-11-20 09:30:00`; its zone is said once, by `formatTimeTitle`. */
export function formatTime(iso: string | null): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return '?';
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
  return `${toDay(date)} ${time}`;
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}

/** The title of a column of local times, with the zone that they are in. */
export function formatTimeTitle(): string {
  return `TIME (${findZone()})`;
}

/** The name of the local zone, or else its distance from UTC: a `TZ` that Node does not know has no name. */
function findZone(): string {
  const { timeZone }: { timeZone?: string } = new Intl.DateTimeFormat('en').resolvedOptions();
  if (timeZone !== undefined && timeZone !== 'Etc/Unknown') return timeZone;
  const minutes = -new Date().getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const distance = Math.abs(minutes);
  const sign = minutes < 0 ? '-' : '+';
  return `UTC${sign}${pad(Math.floor(distance / 60))}:${pad(distance % 60)}`;
}

function countMidnights(from: number, to: number): number {
  const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((startOfDay(to) - startOfDay(from)) / DAY);
}

/** Formats how many sessions, or other things, were selected, and of how many if some were not. */
export function formatSelected(
  count: number,
  total: number,
  one = 'session',
  many = `${one}s`,
): string {
  const all = formatCounted(total, one, many);
  return count === total ? all : `${formatNumber(count)} of ${all}`;
}
