import {
  type ClaudeCodeEntry,
  isBoundary,
  isLeafCandidate,
  NO_ENTRY,
} from '../../entry/to-entry.ts';

/** The statements of a file about its leaf. */
export interface LeafRecord {
  /** The entry that is named; undefined: none. It need not be in the file. */
  readonly id: string | undefined;
  /** A person has chosen it. */
  readonly isChosen: boolean;
  /** Nothing was said since a person chose it. */
  readonly isPinned: boolean;
  /** The conversation was emptied, and nothing has followed: no entry, and no leaf, there or not. */
  readonly isEmptied: boolean;
  /** Some line names a leaf, or none for the leaf. */
  readonly isRecorded: boolean;
  /** The last line of the conversation. */
  readonly lastId: string | undefined;
  /** The entry of the conversation with the latest time. */
  readonly newestId: string | undefined;
}

/** Goes through the lines in file order, as 2.1.133 to 2.1.332 do: the last `last-prompt` counts. */
export function readLeafRecord(entries: Iterable<ClaudeCodeEntry>): LeafRecord {
  const reader = new LeafRecordReader();
  for (const entry of entries) reader.add(entry);
  return reader;
}

/** Holds the record after the lines that it was given, in file order. */
export class LeafRecordReader implements LeafRecord {
  id: string | undefined;
  lastId: string | undefined;
  newestId: string | undefined;
  isChosen = false;
  isPinned = false;
  isEmptied = false;
  isRecorded = false;
  #newest = -Infinity;

  add(entry: ClaudeCodeEntry): void {
    if (entry.type === 'last-prompt') this.#addPrompt(entry);
    else if (isLeafCandidate(entry) && !isState(entry)) {
      this.lastId = entry.id;
      this.isEmptied = false;
      this.isPinned = false;
      if (entry.time > this.#newest) {
        this.#newest = entry.time;
        this.newestId = entry.id;
      }
    }
    if (isBoundary(entry)) {
      this.id = undefined;
      this.isChosen = false;
      this.isPinned = false;
    }
  }

  #addPrompt({ targetId, isPinned }: ClaudeCodeEntry): void {
    if (targetId === undefined) return;
    const isExplicit = isPinned === true;
    this.isRecorded = true;
    if (targetId !== NO_ENTRY) {
      this.isEmptied = false;
      this.isChosen = isExplicit || (this.isChosen && targetId === this.id);
      this.isPinned = isExplicit || (this.isPinned && targetId === this.id);
      this.id = targetId;
    } else if (isExplicit) {
      this.isEmptied = true;
      this.id = undefined;
    }
  }
}

/** Lines that are in the tree, and never its end. */
const STATES: ReadonlySet<string | undefined> = new Set(['file_snapshot', 'fork_briefing']);

export function isState({ customType }: ClaudeCodeEntry): boolean {
  return STATES.has(customType);
}
