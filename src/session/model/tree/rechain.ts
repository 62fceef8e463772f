import { spliceObject } from '../../jsonl/edit/splice.ts';
import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { Entry } from '../entry.ts';
import { type Tree, walkTree } from './tree.ts';

/** The parent and targets that a kept entry must name once others are gone. */
export interface Link {
  readonly entry: Entry;
  readonly parentId: string | null;
  readonly firstKeptEntryId: string | undefined;
}

/**
 * Takes entries out of a tree without cutting it: reports the changes in those that are kept.
 *
 * The parent of an entry becomes its nearest ancestor that is kept; null when none does. An orphan
 * keeps the parent that it names. A `firstKeptEntryId` that named an entry on the compaction's path
 * which goes moves on to the next of that path that is kept, at the latest the compaction itself,
 * which then keeps nothing (`createBranchedSession` of pi 1.6.0 does so for labels). What becomes
 * of labels, edits and branch summaries about entries that go is the caller's policy.
 *
 * Links come in the order of `kept`. Iterative, in linear time; below a cycle that goes, roots.
 */
export function rechain(tree: Tree, kept: readonly Entry[]): readonly Link[] {
  const isKept = new Set(kept);
  const ancestors = new Map<Entry, Entry | undefined>();
  const moved = moveFirstKept(tree, isKept);
  return kept.map((entry) => {
    const parent = tree.parentOf(entry);
    const isParentGone = parent !== undefined && !isKept.has(parent);
    return {
      entry,
      parentId: isParentGone
        ? (findAncestor(tree, isKept, ancestors, parent)?.id ?? null)
        : entry.parentId,
      firstKeptEntryId: moved.get(entry) ?? entry.firstKeptEntryId,
    };
  });
}

/** The nearest entry that is kept, from one that continues up; remembered for all that were passed. */
function findAncestor(
  tree: Tree,
  isKept: ReadonlySet<Entry>,
  known: Map<Entry, Entry | undefined>,
  from: Entry,
): Entry | undefined {
  const passed: Entry[] = [];
  let at: Entry | undefined = from;
  while (at !== undefined && !isKept.has(at) && !known.has(at)) {
    // Already known, as nothing, if the walk comes round a cycle.
    known.set(at, undefined);
    passed.push(at);
    at = tree.parentOf(at);
  }
  const found = at !== undefined && !isKept.has(at) ? known.get(at) : at;
  for (const entry of passed) known.set(entry, found);
  return found;
}

/** Maps compactions whose first kept entry is removed to the id of the next one that is kept. */
function moveFirstKept(tree: Tree, isKept: ReadonlySet<Entry>): ReadonlyMap<Entry, string> {
  const moved = new Map<Entry, string>();
  const waiting = new Map<Entry, Entry>();
  for (const entry of isKept) {
    const named = getFirstKept(tree, entry);
    if (named && !isKept.has(named)) waiting.set(entry, named);
  }
  if (waiting.size === 0) return moved;
  const path = new KeptPath();
  for (const { entry, depth } of walkTree(tree)) {
    path.enter(entry, depth, isKept.has(entry));
    const named = waiting.get(entry);
    const next = named && path.findNextKept(named);
    if (next?.id !== undefined) moved.set(entry, next.id);
  }
  return moved;
}

function getFirstKept(tree: Tree, entry: Entry): Entry | undefined {
  if (entry.type !== 'compaction' || entry.firstKeptEntryId === undefined) return undefined;
  return tree.get(entry.firstKeptEntryId);
}

/** The path from the root to where a walk of the tree is, and which entries on it remain. */
class KeptPath {
  readonly #path: Entry[] = [];
  readonly #depths = new Map<Entry, number>();
  /** How many remain among those before, for each depth. */
  readonly #keptBefore: number[] = [];
  readonly #kept: Entry[] = [];

  enter(entry: Entry, depth: number, isKept: boolean): void {
    this.#path.length = depth;
    this.#keptBefore.length = depth + 1;
    if (depth === 0) this.#keptBefore[0] = 0;
    const before = this.#keptBefore[depth] ?? 0;
    this.#kept.length = before;
    this.#path.push(entry);
    this.#depths.set(entry, depth);
    if (isKept) this.#kept.push(entry);
    this.#keptBefore.push(this.#kept.length);
  }

  /** The first that is kept, from `entry` on; undefined when that is not on the path. */
  findNextKept(entry: Entry): Entry | undefined {
    const depth = this.#depths.get(entry);
    if (depth === undefined || this.#path[depth] !== entry) return undefined;
    return this.#kept[this.#keptBefore[depth] ?? 0];
  }
}

/**
 * A line at the place that the index says, of a format in which `uuid` names a line and `parentUuid` the
 * line before it; its own bytes where nothing changes.
 */
export function toCurrentLine(bytes: Buffer, value: JsonObject, entry: Entry): Buffer {
  const isSame = entry.aside || (value['parentUuid'] ?? null) === entry.parentId;
  if (isSame) return bytes;
  const edit = { key: 'parentUuid', value: JSON.stringify(entry.parentId) };
  return spliceObject(bytes, [edit], { after: 'uuid' }) ?? bytes;
}
