import type { Entry, LineSpan } from '../entry.ts';
import { SmallGroups } from './group-by.ts';

/**
 * The entries of one session as a forest. Iterative throughout, and safe on any input: with a
 * duplicate id the later entry wins, an entry whose parent is missing is a root, and entries on a
 * cycle are reached by no root.
 */
export interface Tree {
  /** The entry at which the agent continues: the one that the session names, or the last one in the tree. */
  readonly leaf: Entry | undefined;
  get(id: string): Entry | undefined;
  parentOf(entry: Entry): Entry | undefined;
  /** Oldest first. */
  childrenOf(entry: Entry): readonly Entry[];
  /** The roots in file order: entries with no parent, and orphans. */
  readonly roots: readonly Entry[];
  /** The path that the agent would read for the entries from a root to one of them. */
  arrange(path: readonly Entry[]): readonly Entry[];
}

/**
 * `chain`: from parent to child. `file`: as the lines stand in the file, every one of an id that is
 * on the path, also where several share it. Or as the agent arranges it.
 */
export type PathOrder = 'chain' | 'file' | Arrange;

/**
 * The path that an agent reads: from that of parents and children, and all entries of the tree.
 * `isCurrent`: whether it ends where the agent continues.
 */
export type Arrange = (
  path: readonly Entry[],
  placed: readonly Entry[],
  isCurrent: boolean,
) => readonly Entry[];

export interface TreeOptions {
  readonly pathOrder?: PathOrder | undefined;
  /** The line of the current leaf; null if there is none; the last entry in the tree unless given. */
  readonly leaf?: Pick<LineSpan, 'line'> | null | undefined;
}

/**
 * Builds the tree of entries by their ids and parents, in linear time; it ends on cycles. Entries
 * aside are in no tree.
 */
export function buildTree(
  all: readonly Entry[],
  { pathOrder = 'chain', leaf }: TreeOptions = {},
): Tree {
  const entries = all.some(({ aside }) => aside) ? all.filter(({ aside }) => !aside) : all;
  const byId = new Map<string, Entry>();
  for (const entry of entries) if (entry.id !== undefined) byId.set(entry.id, entry);

  const parentOf = (entry: Entry): Entry | undefined =>
    entry.parentId === null ? undefined : byId.get(entry.parentId);

  // A duplicate that a later entry of the same id replaces is not in the tree.
  const isPlaced = (entry: Entry): boolean =>
    entry.id === undefined || byId.get(entry.id) === entry;
  let children: Children | undefined;
  const getChildren = () => (children ??= groupByParent(entries, isPlaced, parentOf));
  let copies: ReadonlyMap<string, readonly Entry[]> | undefined;
  const getCopies = () => (copies ??= findCopies(entries, byId));

  const current = leaf ? entries.find(({ line }) => line === leaf.line) : entries.at(-1);
  return {
    leaf: leaf === null ? undefined : current,
    get: (id) => byId.get(id),
    parentOf,
    childrenOf: (entry) => getChildren().byParent.get(entry),
    get roots() {
      return getChildren().roots;
    },
    arrange(path) {
      if (pathOrder === 'chain') return path;
      if (pathOrder === 'file') return arrangeByFile(path, getCopies());
      const isCurrent = leaf !== null && path.at(-1) === current;
      return pathOrder(path, entries.filter(isPlaced), isCurrent);
    },
  };
}

interface Grown extends TreeOptions {
  readonly entries: readonly Entry[];
}

const grown = new WeakMap<Grown, Tree>();

/** The tree of a session, built once for all that ask. */
export function treeOf(session: Grown): Tree {
  const known = grown.get(session) ?? buildTree(session.entries, session);
  grown.set(session, known);
  return known;
}

/** Every entry of an id that several share, by that id. */
function findCopies(
  entries: readonly Entry[],
  byId: ReadonlyMap<string, Entry>,
): ReadonlyMap<string, readonly Entry[]> {
  const copies = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.id !== undefined && byId.get(entry.id) !== entry) copies.set(entry.id, []);
  }
  if (copies.size === 0) return copies;
  for (const entry of entries) if (entry.id !== undefined) copies.get(entry.id)?.push(entry);
  return copies;
}

function arrangeByFile(
  path: readonly Entry[],
  copies: ReadonlyMap<string, readonly Entry[]>,
): readonly Entry[] {
  const all =
    copies.size === 0 ? path : path.flatMap((entry) => copies.get(entry.id ?? '') ?? [entry]);
  return [...new Set(all)].toSorted((a, b) => a.offset - b.offset);
}

interface Children {
  readonly roots: readonly Entry[];
  readonly byParent: SmallGroups<Entry, Entry>;
}

function groupByParent(
  entries: readonly Entry[],
  isPlaced: (entry: Entry) => boolean,
  parentOf: (entry: Entry) => Entry | undefined,
): Children {
  const roots: Entry[] = [];
  const byParent = new SmallGroups<Entry, Entry>();
  for (const entry of entries) {
    if (!isPlaced(entry)) continue;
    const parent = parentOf(entry);
    if (parent === undefined || parent === entry) roots.push(entry);
    else byParent.add(parent, entry);
  }
  byParent.sort((a, b) => a.time - b.time || 0);
  return { roots, byParent };
}

/**
 * Returns the path to `entry`, root first, in the agent's reading. Stops where a cycle would begin
 * again.
 */
export function getPath(tree: Tree, entry: Entry | undefined): readonly Entry[] {
  const path: Entry[] = [];
  // Only where a parent comes later in the file than its child can there be a cycle.
  let seen: Set<Entry> | undefined;
  let last = Infinity;
  for (let at = entry; at !== undefined; at = tree.parentOf(at)) {
    if (at.offset >= last) seen ??= new Set(path);
    if (seen?.has(at)) break;
    seen?.add(at);
    path.push(at);
    last = at.offset;
  }
  return tree.arrange(path.toReversed());
}

/** Returns the path to the current leaf. */
export function getCurrentPath(tree: Tree): readonly Entry[] {
  return getPath(tree, tree.leaf);
}

export interface TreeStep {
  readonly entry: Entry;
  /** Entries between it and its root, itself not counted: 0 for a root. */
  readonly depth: number;
  /** How many of those have several children: how far a tree view indents it. */
  readonly branchDepth: number;
}

/**
 * Walks a tree depth first, parents before children, siblings oldest first. Entries on a cycle are
 * left out.
 */
export function* walkTree(tree: Tree): Generator<TreeStep> {
  const stack: TreeStep[] = tree.roots
    .map((entry) => ({ entry, depth: 0, branchDepth: 0 }))
    .toReversed();
  for (let step = stack.pop(); step; step = stack.pop()) {
    yield step;
    const children = tree.childrenOf(step.entry);
    const depth = step.depth + 1;
    const branchDepth = step.branchDepth + (children.length > 1 ? 1 : 0);
    for (const entry of children.toReversed()) stack.push({ entry, depth, branchDepth });
  }
}

/** Returns how many entries a root leads to: not all where some share an id or form a cycle. */
export function countReached(tree: Tree): number {
  let reached = 0;
  for (const _ of walkTree(tree)) reached += 1;
  return reached;
}

/** The last entry of every branch that can be reached from a root, in file order. */
export function findLeaves(tree: Tree): readonly Entry[] {
  const leaves: Entry[] = [];
  for (const { entry } of walkTree(tree)) {
    if (tree.childrenOf(entry).length === 0) leaves.push(entry);
  }
  return leaves.toSorted((a, b) => a.offset - b.offset);
}

/**
 * The end of one path behind the last entry that it shares with another: what is left when a
 * session continues at the end of the other.
 */
export interface LeftPath<T> {
  /** Root first. */
  readonly entries: readonly T[];
  /** The entry that the session continues from; null: before the first. */
  readonly targetId: string | null;
  readonly oldLeafId: string | null;
  /** The deepest entry that both paths share. */
  readonly commonAncestorId: string | null;
}

/** Finds the part of the path `from` that the path `to` does not have; both root first. */
export function findLeftBehind<T extends { readonly id?: string | undefined }>(
  from: readonly T[],
  to: readonly T[],
): LeftPath<T> {
  const shared = new Set(to);
  const at = from.findLastIndex((entry) => shared.has(entry));
  return {
    entries: from.slice(at + 1),
    targetId: to.at(-1)?.id ?? null,
    oldLeafId: from.at(-1)?.id ?? null,
    commonAncestorId: from[at]?.id ?? null,
  };
}
