import type { Item } from './sections.ts';

/** What a bullet and a line end take. */
const MARKS = 8;

/** The heaviest items that fit into so many characters, in their own order. */
export function fitItems(items: readonly Item[], characters: number): readonly Item[] {
  const kept = new Set<Item>();
  let left = characters;
  for (const item of items.toSorted((a, b) => b.weight - a.weight)) {
    const length = item.text.length + MARKS;
    if (length > left) continue;
    kept.add(item);
    left -= length;
  }
  return items.filter((item) => kept.has(item));
}
