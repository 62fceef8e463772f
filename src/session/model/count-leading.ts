/**
 * Counts the items at the beginning of a list that pass a test, where no item behind one that fails passes. In
 * logarithmic time.
 */
export function countLeading<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = items[middle];
    if (item !== undefined && passes(item)) from = middle + 1;
    else to = middle;
  }
  return from;
}
