import type { Problem } from '../../../../model/summary.ts';
import { type ClaudeCodeEntry, isBoundary, isPassed, placeEntry } from '../../entry/to-entry.ts';
import { Bridges } from './bridges.ts';
import { findLeaf } from '../leaf/find-leaf.ts';
import { readLeafRecord } from '../leaf/leaf-record.ts';
import { Loaded } from '../loaded.ts';
import { keepPreserved } from './preserved.ts';
import { Roots } from './roots.ts';
import { listTrail } from './trail.ts';

/** The size above which the client reads nothing before the last boundary that keeps nothing. */
export const MAX_LOADED_BYTES = 5 * 1024 * 1024;

export interface PlacedNodes {
  /** All of them, in file order, each below the entry that the client attaches it to. */
  readonly entries: readonly ClaudeCodeEntry[];
  /** Undefined: the conversation is empty. */
  readonly leaf: ClaudeCodeEntry | undefined;
  readonly problem?: Problem | undefined;
}

/** Attaches the lines of a file to each other as 2.1.332 does, and finds where it continues. */
export function placeNodes(entries: readonly ClaudeCodeEntry[], size: number): PlacedNodes {
  const loaded = new Loaded(skipUnread(entries, size));
  const kept = keepPreserved(loaded);
  const found = findLeaf(loaded, readLeafRecord(entries), kept !== undefined);
  const way = found.leaf ? climb(loaded, found.leaf) : new Set<ClaudeCodeEntry>();
  const trail = found.leaf
    ? listTrail([...loaded.nodes()], (one) => loaded.parentIdOf(one), found.leaf, way)
    : [];
  const parents = findParents(loaded, [...way]);
  const changed = new Map<ClaudeCodeEntry, ClaudeCodeEntry>();
  const inFile = lastOfEach(entries);
  const firsts = findFirsts(entries, inFile);
  for (const entry of inFile.values()) {
    const placed = place(entry, { loaded, parents, inFile }, firsts.get(entry.id));
    if (placed !== entry) changed.set(entry, placed);
  }
  const now = (entry: ClaudeCodeEntry): ClaudeCodeEntry => changed.get(entry) ?? entry;
  const leaf = trail.at(-1) ?? found.leaf;
  return {
    entries: changed.size === 0 ? entries : entries.map(now),
    leaf: leaf && now(leaf),
    problem: found.problem,
  };
}

/** Returns the entries that the client reads of a file of that size. */
export function skipUnread(
  entries: readonly ClaudeCodeEntry[],
  size: number,
): readonly ClaudeCodeEntry[] {
  if (size <= MAX_LOADED_BYTES) return entries;
  const plain = entries.findLastIndex((entry) => isBoundary(entry) && !entry.preserved);
  return plain < 0 ? entries : entries.slice(plain);
}

/** Maps ids to the entries of the tree that have them: to the last of several of one id, which the client reads. */
export function lastOfEach(
  entries: readonly ClaudeCodeEntry[],
): ReadonlyMap<string, ClaudeCodeEntry> {
  const byId = new Map<string, ClaudeCodeEntry>();
  for (const entry of entries) {
    if (entry.id !== undefined && entry.aside !== true) byId.set(entry.id, entry);
  }
  return byId;
}

/** Finds the first line of each id that has several. */
function findFirsts(
  entries: readonly ClaudeCodeEntry[],
  inFile: ReadonlyMap<string, ClaudeCodeEntry>,
): ReadonlyMap<string | undefined, number> {
  const firsts = new Map<string | undefined, number>();
  let count = 0;
  for (const { id, aside } of entries) if (id !== undefined && aside !== true) count += 1;
  if (count === inFile.size) return firsts;
  const seen = new Map<string, number>();
  for (const { id, aside, offset } of entries) {
    if (id === undefined || aside === true) continue;
    const first = seen.get(id);
    if (first === undefined) seen.set(id, offset);
    else firsts.set(id, first);
  }
  return firsts;
}

type Parents = Map<ClaudeCodeEntry, ClaudeCodeEntry>;

/**
 * Finds the parent of each loaded node; none is on a circle. The path of the conversation is the client's;
 * beside it, no orphan gets a parent that is attached to itself.
 */
function findParents(loaded: Loaded, way: readonly ClaudeCodeEntry[]): Parents {
  const parents: Parents = new Map();
  const orphans: ClaudeCodeEntry[] = [];
  const settled = new Set(way);
  const nodes = [...loaded.nodes()];
  for (const node of nodes) {
    if (settled.has(node)) continue;
    const parent = loaded.parentOf(node);
    if (parent) parents.set(node, parent);
    else if (loaded.parentIdOf(node) !== null) orphans.push(node);
  }
  for (const [at, node] of way.entries()) {
    const parent = way[at + 1];
    if (parent) parents.set(node, parent);
  }
  bridge(nodes, parents, [...orphans, ...cutCircles(nodes, parents)]);
  return parents;
}

/** Cuts each circle where a walk from its last node would begin again; returns what is cut off. */
function cutCircles(nodes: readonly ClaudeCodeEntry[], parents: Parents): ClaudeCodeEntry[] {
  const cut: ClaudeCodeEntry[] = [];
  // A circle needs a parent behind its child in the file.
  if (nodes.every((node) => (parents.get(node)?.offset ?? -1) < node.offset)) return cut;
  const done = new Set<ClaudeCodeEntry>();
  for (const start of nodes.toSorted((a, b) => b.offset - a.offset)) {
    const way = new Set<ClaudeCodeEntry>();
    let last: ClaudeCodeEntry | undefined;
    let at: ClaudeCodeEntry | undefined = start;
    while (at && !done.has(at) && !way.has(at)) {
      way.add(at);
      last = at;
      at = parents.get(at);
    }
    if (at && last && way.has(at)) {
      parents.delete(last);
      cut.push(last);
    }
    for (const passed of way) done.add(passed);
  }
  return cut;
}

function bridge(
  nodes: readonly ClaudeCodeEntry[],
  parents: Parents,
  orphans: readonly ClaudeCodeEntry[],
): void {
  const own = orphans.filter(({ isSidechain }) => isSidechain !== true);
  if (own.length === 0) return;
  const bridges = new Bridges(nodes);
  const roots = new Roots(parents);
  for (const orphan of own.toSorted((a, b) => a.offset - b.offset)) {
    const parent = bridges.find(orphan, (entry) => roots.find(entry) === orphan);
    if (!parent) continue;
    parents.set(orphan, parent);
    roots.attach(orphan, parent);
  }
}

interface Places {
  readonly loaded: Loaded;
  readonly parents: Parents;
  readonly inFile: ReadonlyMap<string, ClaudeCodeEntry>;
}

/** An orphan that nothing stands in for keeps the name of its parent, if that is nowhere in the file. */
function place(
  node: ClaudeCodeEntry,
  { loaded, parents, inFile }: Places,
  firstOffset: number | undefined,
): ClaudeCodeEntry {
  if (!isPassed(node) && !loaded.has(node)) return placeEntry(node, { isUnloaded: true });
  const toFirst = (): ClaudeCodeEntry =>
    firstOffset === undefined ? node : placeEntry(node, { firstOffset });
  if (isPassed(node)) return toFirst();
  const parentId = toParentId(node, loaded, parents, inFile);
  if (parentId === node.parentId) return toFirst();
  const isBridged = parents.get(node) !== undefined && parentId !== loaded.parentIdOf(node);
  return placeEntry(node, {
    parentId,
    writtenParentId: node.parentId,
    isBridged: isBridged ? true : undefined,
    firstOffset,
  });
}

function toParentId(
  node: ClaudeCodeEntry,
  loaded: Loaded,
  parents: Parents,
  inFile: ReadonlyMap<string, ClaudeCodeEntry>,
): string | null {
  if (isBoundary(node)) return null;
  const parent = parents.get(node);
  const wanted = loaded.parentIdOf(node);
  // An entry that is skipped on the way is kept on it.
  if (parent?.id === wanted && loaded.isAsWritten(node)) return node.parentId;
  if (parent) return parent.id ?? null;
  if (wanted === null || inFile.has(wanted)) return null;
  return loaded.isAsWritten(node) ? node.parentId : wanted;
}

/**
 * The way from a leaf to where the conversation begins, the leaf first. Where a parent is not there, or
 * is on the way already, another entry may stand in for it.
 */
function climb(loaded: Loaded, leaf: ClaudeCodeEntry): ReadonlySet<ClaudeCodeEntry> {
  const way = new Set<ClaudeCodeEntry>();
  let bridges: Bridges | undefined;
  let at: ClaudeCodeEntry | undefined = leaf;
  while (at) {
    way.add(at);
    if (!loaded.parentIdOf(at)) break;
    const parent = loaded.parentOf(at);
    if (parent && !way.has(parent)) at = parent;
    else at = (bridges ??= new Bridges([...loaded.nodes()])).find(at, (entry) => way.has(entry));
  }
  return way;
}
