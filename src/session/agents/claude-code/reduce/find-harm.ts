import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { buildTree, treeOf, getCurrentPath } from '../../../model/tree/tree.ts';
import { isCutOff } from '../../../reduce/drop-entries.ts';
import { type ClaudeCodeEntry, getWrittenParent } from '../entry/to-entry.ts';
import { MAX_LOADED_BYTES, placeNodes } from '../index/tree/place-nodes.ts';

/**
 * Returns the reason why the client might continue another conversation once only some of the entries are
 * left. It attaches them again, and a file that is no longer large is loaded whole. `sizes`: those that the file may
 * have then.
 */
export function findHarm(
  before: Session,
  after: readonly Entry[],
  sizes = listSizes(before.stamp.size),
): string | undefined {
  const left = new Map(after.map((entry) => [entry.line, entry]));
  const known = new Map<number, ClaudeCodeEntry>(before.entries.map((one) => [one.line, one]));
  const ids = new Set(after.map(({ id }) => id));
  const removed = new Set(
    before.entries.flatMap(({ id }) => (id === undefined || ids.has(id) ? [] : [id])),
  );
  const written = after.map((entry) => toWritten(known.get(entry.line), entry, removed));
  const tree = treeOf(before);
  const wanted = getCurrentPath(tree).flatMap(({ line }) => (left.has(line) ? line : []));
  for (const one of sizes) {
    const { entries, leaf } = placeNodes(written, one);
    const now = buildTree(entries, { ...before, leaf: leaf ?? null });
    const path = getCurrentPath(now).map(({ line }) => line);
    if (path.length === wanted.length && path.every((line, at) => line === wanted[at])) continue;
    return 'Claude Code might continue with another conversation; left unchanged';
  }
  return undefined;
}

function listSizes(size: number): readonly number[] {
  return size > MAX_LOADED_BYTES ? [size, 0] : [size];
}

/** Returns the entry that the line will hold: a parent that the client chooses is not written. */
function toWritten(
  old: ClaudeCodeEntry | undefined,
  entry: ClaudeCodeEntry,
  removed: ReadonlySet<string>,
): ClaudeCodeEntry {
  const named = getWrittenParent(entry);
  const isMoved = old?.parentId !== entry.parentId || isCutOff(entry, named, removed);
  const parentId = isMoved ? entry.parentId : named;
  return { ...entry, parentId, writtenParentId: undefined, isUnloaded: undefined };
}
