import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { getCurrentPath } from '../../../model/tree/tree.ts';
import { type ClaudeCodeEntry } from '../entry/to-entry.ts';
import { listPreservedIds, withSnapshots } from './needed.ts';

/**
 * Entries beside the current path, with the states of files that were noted for them. Kept are:
 * every tree of another root, since a compaction begins one and damage makes them; sub-agents of
 * old releases; and what a boundary keeps.
 */
export function findAbandoned({ tree, entries }: Forest): ReadonlySet<Entry> {
  const path = new Set(getCurrentPath(tree));
  const preserved = listPreservedIds(entries);
  const abandoned = new Set<Entry>();
  const pending = [...path].slice(0, 1);
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (!path.has(entry) && !isSidechain(entry) && !preserved.has(entry.id ?? '')) {
      abandoned.add(entry);
    }
    for (const child of tree.childrenOf(entry)) pending.push(child);
  }
  return withSnapshots(abandoned, entries);
}

function isSidechain({ isSidechain: side }: ClaudeCodeEntry): boolean {
  return side === true;
}
