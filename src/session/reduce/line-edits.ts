import type { Entry } from '../model/entry.ts';
import type { MemberEdit } from '../jsonl/edit/splice.ts';
import type { Session } from '../model/session.ts';
import { buildTree, getCurrentPath, walkTree } from '../model/tree/tree.ts';
import { dropEntries, findAncestors, isCutOff } from './drop-entries.ts';
import { toForest } from './read-forest.ts';
import type { EntryReducerName, Forest, ReductionDialect } from '../dialect/reduction.ts';

/** Reducers that take out what a compaction stands for: going back to before it is no longer possible then. */
export const REPLACED: ReadonlySet<string> = new Set<EntryReducerName>(['summarized', 'copies']);

/** The changes to the lines of a session when entries are taken out, by line number. */
export interface LineEdits {
  readonly dropped: ReadonlyMap<number, EntryReducerName>;
  /** Lines of which a later one replaces a part. */
  readonly superseded: ReadonlySet<number>;
  /** The lines that are kept and lose it. */
  readonly trimmed: ReadonlySet<number>;
  /** The consequence for the session; undefined without such lines. */
  readonly trimNotice: string | undefined;
  /** Kept entries whose parent changes. */
  readonly moved: ReadonlyMap<number, readonly MemberEdit[]>;
  /** The entry to which the child of a removed one is attached now, for lines that came after the plan. */
  readonly ancestors: ReadonlyMap<string, string | null>;
  /** The entries that are kept, as their lines will read. */
  readonly left: readonly Entry[];
}

/**
 * Applies reducers one after another, each to the result of the one before it. `cuts`: where other
 * files continue from this one.
 */
export function planLineEdits(
  session: Session,
  dialect: ReductionDialect,
  names: readonly EntryReducerName[],
  cuts: readonly number[] = [],
): LineEdits {
  const { entries } = session;
  const { trimming } = dialect;
  const whole = { ...toForest(entries, session), cuts };
  const replaced = trimming?.find(whole) ?? new Set<Entry>();
  const superseded = new Set(Array.from(replaced, ({ line }) => line));
  const trims = superseded.size > 0 && names.includes('superseded-state');
  const isPointer = (entry: Entry): boolean => dialect.getPointerKey?.(entry) !== undefined;
  const dropped = new Map<number, EntryReducerName>();
  let left = entries;
  let { leaf } = session;
  for (const name of names) {
    const forest = { ...toForest(left, { ...session, leaf }), cuts };
    const found = dialect.entryReducers[name]?.(forest) ?? new Set();
    const going = keepNeeded(forest, found, isPointer);
    for (const { line } of going) dropped.set(line, name);
    if (leaf) leaf = findKept(forest, going);
    left = dropEntries(left, going, isPointer);
  }
  const gone = new Set(entries.filter(({ line }) => dropped.has(line)));
  const ancestors = findAncestors(buildTree(entries), gone);
  const moved = findMoved(entries, left, dialect, gone);
  const trimmed = trims ? superseded : new Set<number>();
  const isLost = trims || names.some((name) => REPLACED.has(name));
  const trimNotice = isLost ? trimming?.describe(whole) : undefined;
  return { dropped, superseded, trimmed, trimNotice, moved, ancestors, left };
}

/** Finds the entry at which the session continues once some entries are gone. */
function findKept({ tree }: Forest, going: ReadonlySet<Entry>): Entry | null {
  return getCurrentPath(tree).findLast((entry) => !going.has(entry)) ?? null;
}

/** Finds the entries that can be taken out while kept ones keep their targets and roots. */
function keepNeeded(
  forest: Forest,
  going: ReadonlySet<Entry>,
  isPointer: (entry: Entry) => boolean,
): ReadonlySet<Entry> {
  const left = new Set(going);
  let before: number;
  do {
    before = left.size;
    keepTargets(forest, left, isPointer);
    keepRoots(forest, left);
  } while (left.size < before);
  return left;
}

/** Keeps the targets of kept labels and edits. */
function keepTargets(
  { entries, tree }: Forest,
  going: Set<Entry>,
  isPointer: (entry: Entry) => boolean,
): void {
  const pending = entries.filter((entry) => !going.has(entry) && !isPointer(entry));
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    const target = entry.targetId === undefined ? undefined : tree.get(entry.targetId);
    if (target && going.delete(target)) pending.push(target);
  }
}

/** A tree remains one: where branches would become trees of their own, the root that they had is kept. */
function keepRoots({ tree }: Forest, going: Set<Entry>): void {
  let root: Entry | undefined;
  let tops = 0;
  /** Entries that are taken out with all entries above them. */
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

/**
 * Finds the changes to kept lines, by line number, that make them read as entries do now. `gone`: the entries that are
 * removed. The line of a root may name one of them, which the agent steps over.
 */
export function findMoved(
  before: readonly Entry[],
  after: readonly Entry[],
  dialect: Pick<ReductionDialect, 'keys' | 'getPointerKey' | 'getWrittenParent'>,
  gone: ReadonlySet<Entry> = new Set(),
): ReadonlyMap<number, readonly MemberEdit[]> {
  const moved = new Map<number, readonly MemberEdit[]>();
  const { keys, getPointerKey } = dialect;
  if (!keys) return moved;
  const { parentId } = keys;
  const known = new Map(before.map((entry) => [entry.line, entry]));
  const removed = new Set(Array.from(gone, ({ id }) => id));
  for (const entry of after) {
    const old = known.get(entry.line);
    const isCut = old !== undefined && isCutOff(entry, dialect.getWrittenParent?.(old), removed);
    if (old === undefined || (old === entry && !isCut)) continue;
    const names = {
      parentId,
      firstKeptEntryId: 'firstKeptEntryId',
      fromId: 'fromId',
      targetId: getPointerKey?.(entry) ?? 'targetId',
    };
    const fields = ['parentId', 'firstKeptEntryId', 'fromId', 'targetId'] as const;
    const changed = fields.filter(
      (field) => old[field] !== entry[field] || (field === 'parentId' && isCut),
    );
    moved.set(
      entry.line,
      changed.map((field) => ({ key: names[field], value: JSON.stringify(entry[field] ?? null) })),
    );
  }
  return moved;
}
