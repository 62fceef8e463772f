/** How many of something: a whole number, or all of them. */
export type Count = number | 'unlimited';

/** The value of an option that counts, each of a repeated one; NaN for what is not a count. */
export function toCount(value: unknown): Count | undefined {
  const [last]: readonly unknown[] = [value].flat().slice(-1);
  if (last === undefined) return undefined;
  if (last === 'unlimited' || last === '-1' || last === -1) return 'unlimited';
  const isDigits = typeof last === 'number' || (typeof last === 'string' && /^\d+$/.test(last));
  return isDigits ? Number(last) : Number.NaN;
}

/** Whether a value is a count as `toCount` makes it. */
export function isCount(value: unknown): boolean {
  return value === 'unlimited' || (Number.isInteger(value) && Number(value) >= 0);
}
