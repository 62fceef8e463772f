import type { Entry } from '../entry.ts';
import type { MemberEdit } from '../jsonl/splice.ts';
import { buildTree } from '../tree.ts';
import { dropEntries, findAncestors } from './drop-entries.ts';
import { toForest } from './read-forest.ts';
import type { EntryReducerName, Forest, ReductionDialect } from './reducer.ts';

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
  { entryReducers, keys }: ReductionDialect,
  names: readonly EntryReducerName[],
): LineEdits {
  const dropped = new Map<number, EntryReducerName>();
  let left = entries;
  for (const name of names) {
    const forest = toForest(left);
    const going = keepTargets(forest, entryReducers[name](forest));
    for (const { line } of going) dropped.set(line, name);
    left = dropEntries(left, going);
  }
  const gone = new Set(entries.filter(({ line }) => dropped.has(line)));
  const ancestors = findAncestors(buildTree(entries), gone);
  return { dropped, moved: findMoved(entries, left, keys), ancestors };
}

/** What an entry that stays is about stays, too: the target of a label or of an edit. */
function keepTargets({ entries, tree }: Forest, going: ReadonlySet<Entry>): ReadonlySet<Entry> {
  const left = new Set(going);
  const pending = entries.filter((entry) => !going.has(entry));
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const target = entry.targetId === undefined ? undefined : tree.get(entry.targetId);
    if (target && left.delete(target)) pending.push(target);
  }
  return left;
}

function findMoved(
  before: readonly Entry[],
  after: readonly Entry[],
  { parentId }: ReductionDialect['keys'],
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
      changed.map((key) => ({
        key: key === 'parentId' ? parentId : key,
        value: JSON.stringify(entry[key] ?? null),
      })),
    );
  }
  return moved;
}
