import { matches, readDigits } from '../../../../jsonl/scanner/assembly/bytes';

const LENGTH: usize = 24;

/**
 * Milliseconds since 1970 of a time as agents write it, `2026-01-31T23:59:59.999Z`; NaN for any other
 * text, whether it is a time or not.
 */
export function readTime(at: usize, length: usize): f64 {
  if (length !== LENGTH) return NaN;
  if (!matches(at + 4, '-') || !matches(at + 7, '-') || !matches(at + 10, 'T')) return NaN;
  if (!matches(at + 13, ':') || !matches(at + 16, ':') || !matches(at + 19, '.')) return NaN;
  if (!matches(at + 23, 'Z')) return NaN;
  const year = readDigits(at, at + 4);
  const month = readDigits(at + 5, at + 7);
  const day = readDigits(at + 8, at + 10);
  const hours = readDigits(at + 11, at + 13);
  const minutes = readDigits(at + 14, at + 16);
  const seconds = readDigits(at + 17, at + 19);
  const milliseconds = readDigits(at + 20, at + 23);
  // JavaScript takes the 31st of a shorter month for a day of the next, and so does the sum below.
  if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31 || milliseconds < 0) return NaN;
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return NaN;
  if (seconds < 0 || seconds > 59) return NaN;
  const time = ((countDays(year, month, day) * 24 + hours) * 60 + minutes) * 60 + seconds;
  return (time * 1000 + milliseconds) as f64;
}

/** Counts days since 1970-01-01, in the Gregorian calendar; the year is taken to begin in March. */
function countDays(year: i64, month: i64, day: i64): i64 {
  const years = month < 3 ? year - 1 : year;
  const months = month < 3 ? month + 9 : month - 3;
  const leapDays = years / 4 - years / 100 + years / 400;
  return years * 365 + leapDays + (months * 153 + 2) / 5 + day - 719469;
}
