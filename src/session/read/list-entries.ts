import type { EntryDescription } from '../dialect/dialect.ts';
import { toIso } from '../jsonl/edit/json.ts';
import { resolveLabels } from '../model/tree/labels.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import { readSession } from './read-session.ts';
import { buildTree, getPath, walkTree } from '../model/tree/tree.ts';

export const ENTRY_FILTERS = ['default', 'no-tools', 'user-only', 'labeled-only', 'all'] as const;

/** Which entries to show, as in pi's `/tree`. */
export type EntryFilter = (typeof ENTRY_FILTERS)[number];

/** One entry in the tree of its session. */
export interface ListedEntry {
  readonly id: string | null;
  readonly parentId: string | null;
  readonly type: string;
  readonly role: string | null;
  readonly timestamp: string | null;
  /** Entries between it and its root, itself not counted. */
  readonly depth: number;
  /** Branch points between it and its root: how far a tree view indents it. */
  readonly branchDepth: number;
  readonly line: number;
  readonly label: string | null;
  /** The beginning of its text. */
  readonly preview: string;
  /** On the path from the root to the current leaf. */
  readonly onPath: boolean;
}

/**
 * What stands aside, then the tree of a session's entries, depth first, siblings oldest first.
 * @throws FileError if the file cannot be read or is no session.
 */
export async function listEntries(
  path: string,
  filter: EntryFilter,
  options: ReadLinesOptions = {},
): Promise<readonly ListedEntry[]> {
  const descriptions = new Map<number, EntryDescription>();
  const { session } = await readSession(path, {
    ...options,
    onLine: (dialect, line, content) => {
      if (content.kind === 'object') descriptions.set(line, dialect.describeEntry(content.value));
    },
  });
  const tree = buildTree(session.entries, session);
  const onPath = new Set(getPath(tree, tree.leaf));
  const labels = resolveLabels(session.entries);
  const aside = session.entries.filter((entry) => entry.aside);
  const steps = [...aside.map((entry) => ({ entry, depth: 0, branchDepth: 0 })), ...walkTree(tree)];
  const listed: ListedEntry[] = [];
  for (const { entry, depth, branchDepth } of steps) {
    const label = entry.id === undefined ? undefined : labels.get(entry.id)?.text;
    const description = descriptions.get(entry.line);
    const isLeaf = entry === tree.leaf;
    if (!description || !isShown(description, filter, label !== undefined, isLeaf)) continue;
    listed.push({
      id: entry.id ?? null,
      parentId: entry.parentId,
      type: entry.type,
      role: entry.role ?? null,
      timestamp: toIso(entry.time) ?? null,
      depth,
      branchDepth,
      line: entry.line,
      label: label ?? null,
      preview: description.preview,
      onPath: onPath.has(entry),
    });
  }
  return listed;
}

function isShown(
  { visibility }: EntryDescription,
  filter: EntryFilter,
  isLabelled: boolean,
  isLeaf: boolean,
): boolean {
  if (visibility === 'never' || (visibility === 'silent' && !isLeaf)) return false;
  switch (filter) {
    case 'all':
      return true;
    case 'user-only':
      return visibility === 'user';
    case 'labeled-only':
      return isLabelled;
    case 'no-tools':
      return visibility !== 'bookkeeping' && visibility !== 'tool';
    case 'default':
      return visibility !== 'bookkeeping';
  }
}
