import type { Entry } from '../../model/entry.ts';
import type { Session } from '../../model/session.ts';
import type { TakenEntries } from './repairs.ts';
import type { OffsetMap } from './offset-map.ts';

/**
 * Returns whether a compaction that found its first kept entry before a repair would find another one after
 * it. pi v1 names that entry by counting lines, so a line more or less before it moves it. One that is itself
 * taken out of the tree, or of the context, gives way to the next.
 */
export function movesReferences(
  before: Session,
  after: Session,
  offsets: OffsetMap,
  takenEntries: TakenEntries | undefined,
): boolean {
  const kept = new Map(findKept(before));
  if (kept.size === 0) return false;
  for (const [compaction, target] of findKept(after)) {
    const offset = offsets.toBefore(compaction);
    if (kept.get(offset) === offsets.toBefore(target)) kept.delete(offset);
  }
  for (const [offset, target] of kept) {
    if (takenEntries?.taken.has(target) || takenEntries?.keptLater.has(target)) kept.delete(offset);
  }
  return kept.size > 0;
}

/** Yields the place of each compaction, and the first entry it keeps. */
function* findKept({ entries }: Session): Generator<readonly [compaction: number, kept: number]> {
  const byId = new Map<string, Entry>();
  for (const entry of entries) if (entry.id !== undefined) byId.set(entry.id, entry);
  for (const entry of entries) {
    const kept =
      entry.firstKeptEntryId === undefined ? undefined : byId.get(entry.firstKeptEntryId);
    if (kept) yield [entry.offset, kept.offset];
  }
}
