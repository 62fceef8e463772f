import type { Entry } from '../entry.ts';

export interface Label {
  readonly text: string;
  /** The entry that set it. */
  readonly entry: Entry;
}

/**
 * Finds the label of every entry that has one, by id: the last in the file counts, wherever it is
 * in the tree. They are in the order in which pi writes them again into a fork: by when the target
 * was first labeled since it last had none.
 */
export function resolveLabels(entries: readonly Entry[]): ReadonlyMap<string, Label> {
  const known = resolved.get(entries) ?? resolve(entries);
  resolved.set(entries, known);
  return known;
}

/** A session may be asked once for each of its branches. */
const resolved = new WeakMap<readonly Entry[], ReadonlyMap<string, Label>>();

function resolve(entries: readonly Entry[]): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  for (const entry of entries) {
    if (entry.type !== 'label' || entry.targetId === undefined) continue;
    if (entry.label) labels.set(entry.targetId, { text: entry.label, entry });
    else labels.delete(entry.targetId);
  }
  return labels;
}
