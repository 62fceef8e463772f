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

/**
 * Groups of which nearly all have one item, such as the children of entries: that has no list, which would be as
 * large as the item.
 */
export class SmallGroups<K, T extends object> {
  readonly #groups = new Map<K, T | T[]>();

  add(key: K, item: T): void {
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, item);
    else if (Array.isArray(group)) group.push(item);
    else this.#groups.set(key, [group, item]);
  }

  /** Returns the items of a key in their order; none for a key that has none. */
  get(key: K): readonly T[] {
    const group = this.#groups.get(key) ?? NONE;
    return Array.isArray(group) ? group : [group];
  }

  /** Sorts each group. */
  sort(compare: (a: T, b: T) => number): void {
    for (const group of this.#groups.values()) if (Array.isArray(group)) group.sort(compare);
  }

  /** Iterates in the order of the first item of each. */
  *lists(): Generator<readonly T[]> {
    for (const key of this.#groups.keys()) yield this.get(key);
  }
}

const NONE: [] = [];
