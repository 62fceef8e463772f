import type { Dialect, EntryDescription } from '../dialect/dialect.ts';
import type { Entry } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import { isInContext } from '../model/text/conversation.ts';
import { toIso } from '../jsonl/edit/json.ts';
import { resolveLabels } from '../model/tree/labels.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import { readSession } from './read-session.ts';
import { selectContext } from './select-entries.ts';
import { readTurns } from './turns/turns.ts';
import { treeOf, getPath, type Tree, type TreeStep, walkTree } from '../model/tree/tree.ts';

export const ENTRY_FILTERS = ['default', 'no-tools', 'user-only', 'labeled-only', 'all'] as const;

/** The choice of entries to show, as in pi's `/tree`. */
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
  /** It is on the path from the root to the current leaf. */
  readonly onPath: boolean;
  /** Whether the model is sent it, or what replaces it, when the session continues. */
  readonly inContext: boolean;
  /** Whether the filter that was asked for shows it. */
  readonly visible: boolean;
}

/**
 * Every entry of a session: what stands aside, then the tree, depth first, siblings oldest first,
 * and last what no root leads to: entries on a cycle, and those whose id a later entry has.
 * @throws FileError if the file cannot be read or is not a session.
 */
export async function listEntries(
  path: string,
  filter: EntryFilter,
  options: ReadLinesOptions = {},
): Promise<readonly ListedEntry[]> {
  const descriptions = new Map<string, EntryDescription>();
  const { session, dialect } = await readSession(path, {
    ...options,
    onLine: (own, line, content, file) => {
      if (content.kind !== 'object') return;
      descriptions.set(toKey({ line, file }), own.entries.describe(content.value));
    },
  });
  const tree = treeOf(session);
  const onPath = new Set(getPath(tree, tree.leaf));
  const inContext = await findContext(session, dialect, tree);
  const labels = resolveLabels(session.entries);
  return arrange(session.entries, tree).flatMap(({ entry, depth, branchDepth, isApart }) => {
    const label = entry.id === undefined ? undefined : labels.get(entry.id)?.text;
    const description = descriptions.get(toKey(entry));
    if (!description) return [];
    const isLeaf = entry === tree.leaf;
    const isLabelled = label !== undefined;
    return {
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
      inContext: inContext.has(entry),
      visible: !isApart && isShown(description, filter, isLabelled, isLeaf),
    };
  });
}

function toKey({ line, file = '' }: Pick<Entry, 'line' | 'file'>): string {
  return `${line}:${file}`;
}

interface Placed extends TreeStep {
  /** It is in no tree that the agent shows. */
  readonly isApart: boolean;
}

function arrange(entries: readonly Entry[], tree: Tree): readonly Placed[] {
  const steps = Array.from(walkTree(tree), (step) => ({ ...step, isApart: false }));
  const walked = new Set(steps.map(({ entry }) => entry));
  const others = entries
    .filter((entry) => !walked.has(entry))
    .map((entry) => ({ entry, depth: 0, branchDepth: 0, isApart: entry.aside !== true }));
  const aside = others.filter(({ isApart }) => !isApart);
  return [...aside, ...steps, ...others.filter(({ isApart }) => isApart)];
}

/** The entries that say something to the model. */
async function findContext(
  { path }: Session,
  dialect: Dialect,
  tree: Tree,
): Promise<ReadonlySet<Entry>> {
  const { entries, edits } = selectContext(dialect, getPath(tree, tree.leaf));
  const sent = new Set<Entry>();
  for await (const turn of readTurns({ path, dialect, entries, edits, labels: NO_LABELS })) {
    if (isInContext(turn)) sent.add(turn.entry);
  }
  return sent;
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();

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
