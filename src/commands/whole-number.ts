/** Which whole numbers an option takes; both ends are among them. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** For what is done side by side: each needs memory and a file that is open. */
export const AT_ONCE: Range = { min: 1, max: 256 };

/** What is wrong with the value of an option that takes a number; undefined if nothing is. */
export function findNumberFault(value: unknown, range: Range | undefined): string | undefined {
  const { min, max } = range ?? { min: 0, max: Number.MAX_SAFE_INTEGER };
  if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) return undefined;
  return `expected a whole number${range ? ` from ${min} to ${max}` : ''}`;
}
