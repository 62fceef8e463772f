import type { Problem } from '../../../model/summary.ts';
import type { ClaudeCodeEntry } from '../entry/to-entry.ts';
import { Bridges } from './bridges.ts';
import { findLeaf } from './find-leaf.ts';
import { Roots } from './roots.ts';
import { readLeafRecord } from './leaf-record.ts';
import { findPreserved, type PreservedChain } from './preserved.ts';

/**
 * Of a larger file the client reads nothing before its last boundary but what that keeps; where that
 * keeps something, of any file.
 */
export const MAX_LOADED_BYTES = 5 * 1024 * 1024;

export interface PlacedNodes {
  /** All of them, in file order, each below the entry that the client attaches it to. */
  readonly entries: readonly ClaudeCodeEntry[];
  /** Undefined: the conversation is empty. */
  readonly leaf: ClaudeCodeEntry | undefined;
  readonly problem?: Problem | undefined;
}

/** Attaches the lines of a file to each other as 2.1.330 does, and finds where it goes on. */
export function placeNodes(entries: readonly ClaudeCodeEntry[], size: number): PlacedNodes {
  const boundary = entries.findLast(({ customType }) => customType === 'compact_boundary');
  const everything = indexById(entries);
  const kept = boundary?.preserved && findPreserved(boundary.preserved, everything);
  // What a boundary keeps is all that is left of the time before it, also where a later boundary keeps
  // nothing; and so in a large file.
  const isStale = !boundary?.preserved && entries.some(({ preserved }) => preserved !== undefined);
  const isCut = kept !== undefined || isStale || size > MAX_LOADED_BYTES;
  const unloaded = findUnloaded(entries, isCut ? boundary : undefined, kept);
  const loaded = [...everything.values()].filter((node) => !unloaded.has(node));
  const { own, parents } = findParents(loaded, kept, everything);
  const order = loaded.toSorted((a, b) => a.offset - b.offset);
  const byId = new Map(order.map((node) => [node.id ?? '', node]));
  const found = findLeaf(
    { all: order, get: (id) => byId.get(id), parentOf: (node) => own.get(node) },
    readLeafRecord(entries),
  );
  const placed = new Map<ClaudeCodeEntry, ClaudeCodeEntry>();
  for (const node of everything.values()) {
    const changed = place(node, unloaded.has(node), parents, byId);
    if (changed !== node) placed.set(node, changed);
  }
  return {
    entries: placed.size === 0 ? entries : entries.map((entry) => placed.get(entry) ?? entry),
    leaf: found.leaf && (placed.get(found.leaf) ?? found.leaf),
    problem: found.problem,
  };
}

/** Of several lines of one id, the last counts. */
function indexById(entries: readonly ClaudeCodeEntry[]): ReadonlyMap<string, ClaudeCodeEntry> {
  const byId = new Map<string, ClaudeCodeEntry>();
  for (const entry of entries) {
    if (entry.id !== undefined && entry.aside !== true) byId.set(entry.id, entry);
  }
  return byId;
}

function findUnloaded(
  entries: readonly ClaudeCodeEntry[],
  boundary: ClaudeCodeEntry | undefined,
  kept: PreservedChain | undefined,
): ReadonlySet<ClaudeCodeEntry> {
  if (!boundary) return new Set();
  const keeps = new Set(kept?.nodes);
  return new Set(entries.filter((one) => one.offset < boundary.offset && !keeps.has(one)));
}

type Parents = Map<ClaudeCodeEntry, ClaudeCodeEntry>;

/**
 * What each loaded node is attached to; none is on a circle. `own`: without what stands in for
 * parents that are not there, which the choice of the leaf does not follow.
 */
function findParents(
  loaded: readonly ClaudeCodeEntry[],
  kept: PreservedChain | undefined,
  everything: ReadonlyMap<string, ClaudeCodeEntry>,
): { readonly own: Parents; readonly parents: Parents } {
  const byId = new Map(loaded.map((node) => [node.id ?? '', node]));
  const parents: Parents = new Map();
  const orphans: ClaudeCodeEntry[] = [];
  for (const node of loaded) {
    if (node.customType === 'compact_boundary' || node.parentId === null) continue;
    // What hangs on an entry that is not kept goes on behind those that are.
    const behind = everything.has(node.parentId) ? kept?.nodes.at(-1) : undefined;
    const parent = kept?.parents.get(node) ?? byId.get(node.parentId) ?? behind;
    if (parent) parents.set(node, parent);
    else orphans.push(node);
  }
  for (const [node, parent] of kept?.parents ?? []) parents.set(node, parent);
  orphans.push(...cutCircles(loaded, parents));
  const own = new Map(parents);
  bridge(loaded, parents, orphans);
  return { own, parents };
}

/** Cuts each circle where a walk from its last node would begin again; returns what is cut off. */
function cutCircles(loaded: readonly ClaudeCodeEntry[], parents: Parents): ClaudeCodeEntry[] {
  const cut: ClaudeCodeEntry[] = [];
  const done = new Set<ClaudeCodeEntry>();
  for (const start of loaded.toSorted((a, b) => b.offset - a.offset)) {
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
  loaded: readonly ClaudeCodeEntry[],
  parents: Parents,
  orphans: readonly ClaudeCodeEntry[],
): void {
  const own = orphans.filter(({ isSidechain }) => isSidechain !== true);
  if (own.length === 0) return;
  const bridges = new Bridges(loaded);
  const roots = new Roots(parents);
  for (const orphan of own.toSorted((a, b) => a.offset - b.offset)) {
    const parent = bridges.find(orphan, (entry) => roots.find(entry) === orphan);
    if (!parent) continue;
    parents.set(orphan, parent);
    roots.attach(orphan, parent);
  }
}

/** An orphan that nothing stands in for keeps the name of its parent. */
function place(
  node: ClaudeCodeEntry,
  isUnloaded: boolean,
  parents: Parents,
  byId: ReadonlyMap<string, ClaudeCodeEntry>,
): ClaudeCodeEntry {
  if (isUnloaded) return { ...node, isUnloaded };
  const parent = parents.get(node);
  const isOrphan = !parent && node.parentId !== null && !byId.has(node.parentId);
  const isBoundary = node.customType === 'compact_boundary';
  const parentId = isOrphan && !isBoundary ? node.parentId : (parent?.id ?? null);
  if (parentId === node.parentId) return node;
  return { ...node, parentId, writtenParentId: node.parentId };
}
