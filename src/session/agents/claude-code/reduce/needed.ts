import type { Entry } from '../../../model/entry.ts';
import { withNotes } from '../../../reduce/choose-entries.ts';
import { isSnapshot } from '../format.ts';
import { type ClaudeCodeEntry } from '../entry/to-entry.ts';

/**
 * The ids that boundaries name of what they keep: where one is missing, the client keeps none.
 * `entries` as the indexer made them.
 */
export function listPreservedIds(entries: readonly ClaudeCodeEntry[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { preserved } of entries) {
    if (!preserved) continue;
    const { anchorId, ids: named = [], headId, tailId } = preserved;
    for (const id of [anchorId, ...named, headId, tailId]) if (id) ids.add(id);
  }
  return ids;
}

/** Adds the states of files that were noted for these messages, except the last of all. */
export function withSnapshots(
  messages: Iterable<Entry>,
  entries: readonly Entry[],
): ReadonlySet<Entry> {
  return withNotes(messages, entries.filter(isSnapshot).slice(0, -1));
}
