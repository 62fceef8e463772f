import { type ClaudeCodeEntry, isLeafCandidate, NO_ENTRY } from '../entry/to-entry.ts';
import { NIL_UUID } from '../format.ts';

/** What a file says of its leaf. */
export interface LeafRecord {
  /** The entry that is named; undefined: none. It need not be in the file. */
  readonly id: string | undefined;
  /** The line by which a person has chosen it; undefined where the client has noted it by itself. */
  readonly pinLine: number | undefined;
  /** The conversation was emptied, and nothing has followed. */
  readonly isEmptied: boolean;
}

const NOTHING: LeafRecord = { id: undefined, pinLine: undefined, isEmptied: false };

/** Goes through the lines in file order, as 2.1.133 to 2.1.330 do: the last `last-prompt` counts. */
export function readLeafRecord(entries: readonly ClaudeCodeEntry[]): LeafRecord {
  let record = NOTHING;
  for (const entry of entries) {
    if (entry.customType === 'compact_boundary') record = NOTHING;
    else if (entry.type === 'last-prompt') record = follow(record, entry);
    else if (record.isEmptied && isLeafCandidate(entry)) record = NOTHING;
  }
  return record;
}

function follow(record: LeafRecord, { targetId, isPinned, line }: ClaudeCodeEntry): LeafRecord {
  if (isPinned) {
    if (targetId === NO_ENTRY) return { ...NOTHING, isEmptied: true };
    if (targetId === NIL_UUID) return NOTHING;
  }
  if (targetId === undefined || targetId === NO_ENTRY) return record;
  const kept = targetId === record.id ? record.pinLine : undefined;
  return { id: targetId, pinLine: isPinned ? line : kept, isEmptied: false };
}
