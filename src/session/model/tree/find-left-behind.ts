/**
 * The end of one path behind the last entry that it shares with another: what is left when a
 * session goes on at the end of the other.
 */
export function findLeftBehind<T>(from: readonly T[], to: readonly T[]): readonly T[] {
  const shared = new Set(to);
  return from.slice(from.findLastIndex((entry) => shared.has(entry)) + 1);
}
