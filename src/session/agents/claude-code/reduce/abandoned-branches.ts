import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { findBeside } from '../../../reduce/choose-entries.ts';
import { type ClaudeCodeEntry } from '../entry/to-entry.ts';
import { listPreservedIds, withSnapshots } from './needed.ts';

/**
 * Entries beside the current path, with the states of files that were noted for them. Kept are:
 * every tree of another root, since a compaction begins one and damage makes them; sub-agents of
 * old releases; and what a boundary keeps.
 */
export function findAbandoned({ tree, entries }: Forest): ReadonlySet<Entry> {
  const preserved = listPreservedIds(entries);
  const abandoned = [...findBeside(tree)].filter(
    (entry) => !isSidechain(entry) && !preserved.has(entry.id ?? ''),
  );
  return withSnapshots(abandoned, entries);
}

function isSidechain({ isSidechain: side }: ClaudeCodeEntry): boolean {
  return side === true;
}
