import type { Item, Section } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';

/** The characters that a bullet and a line end take. */
const MARKS = 8;
/**
 * The weight that each item of a section loses against the one before: ten of a kind are not ten times news.
 */
const DECLINE = 1.5;
/** Shortened rather than left out, while there is room for a sentence. */
const ESSENTIAL: ReadonlySet<Section> = new Set(['goal', 'inProgress']);
const SENTENCE = 80;

/** The heaviest items that fit into this many characters, in their own order. */
export function fitItems(items: readonly Item[], characters: number): readonly Item[] {
  const kept = new Map<Item, Item>();
  let left = characters;
  for (const item of rank(items)) {
    const room = left - MARKS;
    const isEssential = ESSENTIAL.has(item.section) && room >= SENTENCE;
    if (item.text.length > room && !isEssential) continue;
    const text = shorten(item.text, Math.max(room, SENTENCE));
    kept.set(item, item.text.length > room ? { ...item, text } : item);
    left -= Math.min(item.text.length, text.length) + MARKS;
  }
  return items.flatMap((item) => kept.get(item) ?? []);
}

function rank(items: readonly Item[]): readonly Item[] {
  const seen = new Map<Section, number>();
  const ranked = items
    .toSorted((a, b) => b.weight - a.weight)
    .map((item) => {
      const before = seen.get(item.section) ?? 0;
      seen.set(item.section, before + 1);
      return { item, weight: item.weight - before * DECLINE };
    });
  return ranked.toSorted((a, b) => b.weight - a.weight).map(({ item }) => item);
}
