/** Shorter conversations are never compacted. Tokens. */
const LEAST = 25_600;
/** The tokens that an answer may take; for a model with shorter answers, Neovate waits a little longer. */
const OUTPUT = 32_000;
/** The tokens that are left free of a window of exactly this size. */
const RESERVES: ReadonlyMap<number, number> = new Map([
  [32_768, 10_000],
  [65_536, 27_000],
  [131_072, 30_000],
  [200_000, 40_000],
]);
const LARGE_RESERVE = 40_000;
const [RATIO, SMALL_RATIO] = [0.9, 0.8];

/**
 * Returns the number of tokens from which Neovate 0.17.1 compacts (`History`, where it asks whether to
 * compress).
 */
export function getThreshold(contextWindow: number): number {
  const reserve = RESERVES.get(contextWindow);
  const allowed =
    reserve === undefined
      ? Math.max(contextWindow - LARGE_RESERVE, contextWindow * SMALL_RATIO)
      : contextWindow - reserve;
  return Math.max(LEAST, (contextWindow - OUTPUT) * RATIO, allowed);
}
