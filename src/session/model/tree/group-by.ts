/** Groups items by a key, in their order; those without a key are in no group. */
export function groupBy<K, T>(items: Iterable<T>, getKey: (item: T) => K | undefined): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = getKey(item);
    if (key !== undefined) addTo(groups, key, item);
  }
  return groups;
}

/** Puts an item into the group of a key, which begins with it if there is none. */
export function addTo<K, T>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
