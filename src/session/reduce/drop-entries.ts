import { type Entry, ROOT } from '../model/entry.ts';
import { rechain } from '../model/tree/rechain.ts';
import { buildTree, type Tree } from '../model/tree/tree.ts';

/**
 * The entries that are kept when some are taken out, as their lines will read: attached to the nearest kept
 * ancestor, with references moved on. Entries that do not change are the same objects.
 */
export function dropEntries(
  entries: readonly Entry[],
  dropped: ReadonlySet<Entry>,
  isPointer: (entry: Entry) => boolean = () => false,
): readonly Entry[] {
  if (dropped.size === 0) return entries;
  const tree = buildTree(entries);
  const kept = entries.filter((entry) => !dropped.has(entry));
  const ancestors = findAncestors(tree, dropped);
  return rechain(tree, kept).map(({ entry, parentId, firstKeptEntryId }) => {
    const fromId = moveFrom(entry, tree, ancestors);
    const targetId = isPointer(entry) ? movePointer(entry, ancestors) : entry.targetId;
    const isSame =
      parentId === entry.parentId &&
      firstKeptEntryId === entry.firstKeptEntryId &&
      fromId === entry.fromId &&
      targetId === entry.targetId;
    return isSame ? entry : { ...entry, parentId, firstKeptEntryId, fromId, targetId };
  });
}

/**
 * Moves a pointer to the nearest entry that is kept; one that has none above it continues naming what was
 * removed.
 */
function movePointer(
  { targetId }: Entry,
  ancestors: ReadonlyMap<string, string | null>,
): string | undefined {
  return targetId === undefined ? undefined : (ancestors.get(targetId) ?? targetId);
}

/** Maps the id of each entry that is removed to that of its nearest ancestor that is kept. */
export function findAncestors(
  tree: Tree,
  dropped: ReadonlySet<Entry>,
): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  for (const entry of dropped) {
    const passed: string[] = [];
    let at: Entry | undefined = entry;
    while (at?.id !== undefined && dropped.has(at) && !found.has(at.id)) {
      // Already known, as nothing, if the walk comes round a cycle.
      found.set(at.id, null);
      passed.push(at.id);
      at = tree.parentOf(at);
    }
    const id = at?.id;
    const ancestor =
      id === undefined ? null : (found.get(id) ?? (at && dropped.has(at) ? null : id));
    for (const one of passed) found.set(one, ancestor);
  }
  return found;
}

/** A summary of a branch that goes was made where the branch left what is kept. */
function moveFrom(
  { fromId }: Entry,
  tree: Tree,
  ancestors: ReadonlyMap<string, string | null>,
): string | undefined {
  if (fromId === undefined || !tree.get(fromId) || !ancestors.has(fromId)) return fromId;
  return ancestors.get(fromId) ?? ROOT;
}

/** Returns whether an entry is a root now of which the line names an entry that is removed. `written`: what it names. */
export function isCutOff(
  { parentId }: Pick<Entry, 'parentId'>,
  written: string | null | undefined,
  removed: ReadonlySet<string | undefined>,
): boolean {
  return typeof written === 'string' && parentId === null && removed.has(written);
}
