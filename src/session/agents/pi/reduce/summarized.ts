import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import { walkTree } from '../../../model/tree/tree.ts';
import { findBookkeeping } from './bookkeeping.ts';

/** The types of entries that a compaction summarizes. It cannot replace settings, state and names. */
const CONVERSATION: ReadonlySet<string> = new Set([
  'message',
  'custom_message',
  'branch_summary',
  'compaction',
  'context_edit',
]);

/**
 * Entries of the conversation that no path shows to the model any more, because the latest
 * compaction of each path through them stands for them. Kept are entries with a label, the first
 * user message, by which people know the session, and the entry that names the model with which a
 * path ends.
 */
export function findSummarized(forest: Forest): ReadonlySet<Entry> {
  const kept = new Set([...findBookkeeping(forest), ...findModels(forest)]);
  const first = forest.entries.find(({ role }) => role === 'user');
  if (first) kept.add(first);
  const visible = findVisible(forest);
  const hidden = forest.entries.filter(
    (entry) => visible.get(entry) === false && CONVERSATION.has(entry.type) && !kept.has(entry),
  );
  return new Set(hidden);
}

/** The entries of every path to a leaf that its context is made of; those on a cycle are unknown. */
function findVisible({ tree, entries }: Forest): ReadonlyMap<Entry, boolean> {
  const visible = new Map<Entry, boolean>();
  const steps = [...walkTree(tree)];
  const depths = new Map(steps.map(({ entry, depth }) => [entry, depth]));
  const leaf = entries.at(-1);
  /** Whether a path goes through without a compaction further down. */
  const open = new Set<Entry>();
  /** The least depth up to which any path shows what is above. */
  const reach = new Map<Entry, number>();
  for (const { entry, depth } of steps.toReversed()) {
    const isEnd = entry === leaf || tree.childrenOf(entry).length === 0;
    if (isEnd) open.add(entry);
    const up = reach.get(entry) ?? Infinity;
    visible.set(entry, open.has(entry) || up <= depth);
    const parent = tree.parentOf(entry);
    if (!parent) continue;
    if (open.has(entry) && entry.type !== 'compaction') open.add(parent);
    const from = open.has(entry) && entry.type === 'compaction' ? getKeptDepth(entry) : Infinity;
    reach.set(parent, Math.min(reach.get(parent) ?? Infinity, up, from));
  }
  return visible;

  function getKeptDepth({ firstKeptEntryId }: Entry): number {
    const first = firstKeptEntryId === undefined ? undefined : tree.get(firstKeptEntryId);
    return (first && depths.get(first)) ?? Infinity;
  }
}

/** The entry of each path that names the model it ends with. */
function findModels({ tree, entries }: Forest): ReadonlySet<Entry> {
  const models = new Map<Entry, Entry | undefined>();
  const found = new Set<Entry>();
  for (const { entry } of walkTree(tree)) {
    const parent = tree.parentOf(entry);
    const model = entry.model ? entry : parent && models.get(parent);
    models.set(entry, model);
    const isEnd = entry === entries.at(-1) || tree.childrenOf(entry).length === 0;
    if (isEnd && model) found.add(model);
  }
  return found;
}
