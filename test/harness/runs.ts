/**
 * How much is tried, in every suite: a quarter is what `npm test` tries of random cases, 10 what `.ci/run`
 * does, and more for a night.
 */
export const EFFORT = Number(process.env['COPPICE_EFFORT'] ?? 0.25);

/** Where random cases begin: the same in every run, unless other cases are asked for. */
export const SEED = Number(process.env['COPPICE_SEED'] ?? 20_261_121);

/** How many random cases to try, where `npm test` tries a quarter of them. */
export function runs(count: number): number {
  return Math.ceil(count * EFFORT);
}

/** What to try, or how large to make it: the first in `npm test`, the second in long forms. */
export function sized<T>(short: T, long: T): T {
  return EFFORT < 10 ? short : long;
}

/** So many of all cases, evenly spread, or more with more effort. */
export function takeSome<T>(all: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, all.length / runs(count));
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
