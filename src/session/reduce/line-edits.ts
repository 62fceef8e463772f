import type { Entry } from '../entry.ts';
import { type MemberEdit, spliceObject } from '../jsonl/splice.ts';
import { buildTree } from '../tree.ts';
import { dropEntries, findAncestors } from './drop-entries.ts';
import { toForest } from './read-forest.ts';
import type { EntryReducerName, ReductionDialect } from './reducer.ts';

/** What becomes of the lines of a session when entries go. By line number. */
export interface LineEdits {
  readonly dropped: ReadonlyMap<number, EntryReducerName>;
  /** Entries that stay and hang elsewhere. */
  readonly moved: ReadonlyMap<number, readonly MemberEdit[]>;
  /** For lines that came after the plan: where the child of an entry that went hangs now. */
  readonly ancestors: ReadonlyMap<string, string | null>;
}

/** Applies reducers one after another, each to what the one before it left. */
export function planLineEdits(
  entries: readonly Entry[],
  { entryReducers }: ReductionDialect,
  names: readonly EntryReducerName[],
): LineEdits {
  const dropped = new Map<number, EntryReducerName>();
  let left = entries;
  for (const name of names) {
    const going = entryReducers[name](toForest(left));
    for (const { line } of going) dropped.set(line, name);
    left = dropEntries(left, going);
  }
  const gone = new Set(entries.filter(({ line }) => dropped.has(line)));
  const ancestors = findAncestors(buildTree(entries), gone);
  return { dropped, moved: findMoved(entries, left), ancestors };
}

function findMoved(
  before: readonly Entry[],
  after: readonly Entry[],
): ReadonlyMap<number, readonly MemberEdit[]> {
  const known = new Map(before.map((entry) => [entry.line, entry]));
  const moved = new Map<number, readonly MemberEdit[]>();
  for (const entry of after) {
    const old = known.get(entry.line);
    if (old === undefined || old === entry) continue;
    const keys = ['parentId', 'firstKeptEntryId', 'fromId'] as const;
    const changed = keys.filter((key) => old[key] !== entry[key]);
    moved.set(
      entry.line,
      changed.map((key) => ({ key, value: JSON.stringify(entry[key] ?? null) })),
    );
  }
  return moved;
}

/** A line with other links; every other byte is kept. */
export function relink(bytes: Buffer, edits: readonly MemberEdit[]): Buffer {
  return spliceObject(bytes, edits, { after: 'id' }) ?? bytes;
}
