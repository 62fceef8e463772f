import type { Entry } from '../../../model/entry.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import { getCurrentPath, type Tree } from '../../../model/tree/tree.ts';
import { findBeside, withNotes } from '../../../reduce/choose-entries.ts';

/**
 * Lists the messages beside the current path, with the backups of files that were made for them. Every tree of another
 * root is kept: a summary stands for it, or damage made it.
 */
export function findAbandoned({ tree, entries }: Forest): ReadonlySet<Entry> {
  return withBackups(findBeside(tree), entries);
}

/**
 * Messages that a summary on the current path already stands for: the path that the agent was on
 * when it made the summary, and what an earlier summary stood for. Only their order in the file
 * links the two, so the ends of each such path are kept: without its last message, the summary
 * would next be taken to stand for another branch. Entries on another branch are kept, too.
 */
export function findSummarized({ tree, entries }: Forest): ReadonlySet<Entry> {
  const seen = new Set(getCurrentPath(tree));
  const summarized = new Set<Entry>();
  const before = findPredecessors(entries);
  let [root] = seen;
  while (root?.type === 'compaction') {
    const path: Entry[] = [];
    for (let at = before.get(root); at && !seen.has(at); at = tree.parentOf(at)) {
      seen.add(at);
      path.push(at);
    }
    for (const entry of withoutBranchPoints(new Set(path), tree)) summarized.add(entry);
    root = path.at(-1);
    for (const end of [path[0], root]) if (end) summarized.delete(end);
  }
  return withBackups(summarized, entries);
}

/** Finds for each message the one before it in the file. */
function findPredecessors(entries: readonly Entry[]): ReadonlyMap<Entry, Entry> {
  const found = new Map<Entry, Entry>();
  let before: Entry | undefined;
  for (const entry of entries) {
    if (entry.aside) continue;
    if (before) found.set(entry, before);
    before = entry;
  }
  return found;
}

/** A message is kept when another branch goes through it, and so does all above it. */
function withoutBranchPoints(entries: ReadonlySet<Entry>, tree: Tree): ReadonlySet<Entry> {
  const left = new Set(entries);
  for (const entry of entries) {
    const isShared = tree.childrenOf(entry).some((child) => !entries.has(child));
    if (!isShared) continue;
    for (let at: Entry | undefined = entry; at && left.delete(at);) at = tree.parentOf(at);
  }
  return left;
}

function withBackups(messages: Iterable<Entry>, entries: readonly Entry[]): ReadonlySet<Entry> {
  return withNotes(
    messages,
    entries.filter(({ aside }) => aside),
  );
}
