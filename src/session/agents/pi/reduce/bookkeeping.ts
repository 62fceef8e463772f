import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';

/**
 * Entries that count for the file as a whole, wherever they are in the tree: the last one, which is
 * the current leaf; the name; the last word on each label.
 */
export function findBookkeeping({ entries }: Forest): ReadonlySet<Entry> {
  const found = new Set<Entry>();
  const words = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.type === 'label' && entry.targetId !== undefined) words.set(entry.targetId, entry);
  }
  const named = entries.findLast(({ type }) => type === 'session_info');
  for (const entry of [entries.at(-1), named, ...words.values()]) if (entry) found.add(entry);
  return found;
}
