import type { Entry } from '../model/entry.ts';
import { getCurrentPath, type Tree } from '../model/tree/tree.ts';

/** Finds all that branches off the current path. Trees of other roots have no part in it. */
export function findBeside(tree: Tree): Set<Entry> {
  const path = getCurrentPath(tree);
  // It grows while it is walked.
  const beside = new Set(path.slice(0, 1));
  for (const entry of beside) for (const child of tree.childrenOf(entry)) beside.add(child);
  for (const entry of path) beside.delete(entry);
  return beside;
}

/** Adds the notes that are about these messages. */
export function withNotes(messages: Iterable<Entry>, notes: readonly Entry[]): ReadonlySet<Entry> {
  const found = new Set(messages);
  const ids = new Set(Array.from(found, ({ id }) => id));
  for (const note of notes) {
    if (note.targetId !== undefined && ids.has(note.targetId)) found.add(note);
  }
  return found;
}
