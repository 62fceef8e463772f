import { type ClaudeCodeEntry, isLeafCandidate, NO_ENTRY } from '../../entry/to-entry.ts';
import { isBoundary } from '../loaded.ts';

/** The statements of a file about its leaf. */
export interface LeafRecord {
  /** The entry that is named; undefined: none. It need not be in the file. */
  readonly id: string | undefined;
  /** A person has chosen it. */
  readonly isChosen: boolean;
  /** Nothing was said since a person chose it. */
  readonly isPinned: boolean;
  /** The conversation was emptied, and nothing has followed. */
  readonly isEmptied: boolean;
  /** Some line names a leaf, or none for the leaf. */
  readonly isNoted: boolean;
  /** The last line of the conversation. */
  readonly lastId: string | undefined;
  /** The one of the greatest time. */
  readonly newestId: string | undefined;
}

/** Goes through the lines in file order, as 2.1.133 to 2.1.330 do: the last `last-prompt` counts. */
export function readLeafRecord(entries: Iterable<ClaudeCodeEntry>): LeafRecord {
  let id: string | undefined;
  let lastId: string | undefined;
  let newestId: string | undefined;
  let newest = -Infinity;
  let [isChosen, isPinned, isEmptied, isNoted] = [false, false, false, false];
  for (const entry of entries) {
    if (entry.type === 'last-prompt') {
      const { targetId, isPinned: isExplicit = false } = entry;
      if (targetId === undefined) continue;
      isNoted = true;
      if (targetId !== NO_ENTRY) {
        isChosen = isExplicit || (isChosen && targetId === id);
        isPinned = isExplicit || (isPinned && targetId === id);
        id = targetId;
      } else if (isExplicit) {
        isEmptied = true;
        id = undefined;
      }
    } else if (isLeafCandidate(entry) && !isState(entry)) {
      lastId = entry.id;
      isEmptied = false;
      isPinned = false;
      if (entry.time > newest) [newest, newestId] = [entry.time, entry.id];
    }
    if (isBoundary(entry)) {
      id = undefined;
      isChosen = false;
      isPinned = false;
    }
  }
  return { id, isChosen, isPinned, isEmptied, isNoted, lastId, newestId };
}

/** Lines that are in the tree, and never its end. */
const STATES: ReadonlySet<string | undefined> = new Set(['file_snapshot', 'fork_briefing']);

export function isState({ customType }: ClaudeCodeEntry): boolean {
  return STATES.has(customType);
}
