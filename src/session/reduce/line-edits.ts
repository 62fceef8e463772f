import type { Entry } from '../model/entry.ts';
import type { MemberEdit } from '../jsonl/edit/splice.ts';
import { buildTree, walkTree } from '../model/tree/tree.ts';
import { dropEntries, findAncestors } from './drop-entries.ts';
import { toForest } from './read-forest.ts';
import type { EntryReducerName, Forest, ReductionDialect } from '../dialect/reduction.ts';

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
    const going = keepNeeded(forest, entryReducers[name](forest));
    for (const { line } of going) dropped.set(line, name);
    left = dropEntries(left, going);
  }
  const gone = new Set(entries.filter(({ line }) => dropped.has(line)));
  const ancestors = findAncestors(buildTree(entries), gone);
  return { dropped, moved: findMoved(entries, left, keys), ancestors };
}

/** What may go without what stays losing its target or its root. */
function keepNeeded(forest: Forest, going: ReadonlySet<Entry>): ReadonlySet<Entry> {
  const left = new Set(going);
  let before: number;
  do {
    before = left.size;
    keepTargets(forest, left);
    keepRoots(forest, left);
  } while (left.size < before);
  return left;
}

/** What an entry that stays is about stays, too: the target of a label or of an edit. */
function keepTargets({ entries, tree }: Forest, going: Set<Entry>): void {
  const pending = entries.filter((entry) => !going.has(entry));
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const target = entry.targetId === undefined ? undefined : tree.get(entry.targetId);
    if (target && going.delete(target)) pending.push(target);
  }
}

/** A tree stays one: where branches would become trees of their own, the root that they had stays. */
function keepRoots({ tree }: Forest, going: Set<Entry>): void {
  let root: Entry | undefined;
  let tops = 0;
  /** Those that go with all that is above them. */
  const cut = new Set<Entry>();
  for (const { entry } of walkTree(tree)) {
    const parent = tree.parentOf(entry);
    if (!parent) [root, tops] = [entry, 0];
    else if (!cut.has(parent)) continue;
    if (going.has(entry)) cut.add(entry);
    else tops += 1;
    if (root && tops > 1) going.delete(root);
  }
}

/** What must change in lines that stay, by line number, for them to read as entries do now. */
export function findMoved(
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
