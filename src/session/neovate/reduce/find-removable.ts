import type { Entry } from '../../entry.ts';
import type { Forest } from '../../reduce/reducer.ts';
import { getPath, type Tree } from '../../tree.ts';

/**
 * Messages beside the current path, with the backups of files that were made for them. Every tree of
 * another root stays: a summary stands for it, or damage made it.
 */
export function findAbandoned({ tree, entries }: Forest): ReadonlySet<Entry> {
  const path = new Set(getPath(tree, tree.leaf));
  const abandoned = new Set<Entry>();
  const pending = [...path].slice(0, 1);
  for (let entry = pending.pop(); entry; entry = pending.pop()) {
    if (!path.has(entry)) abandoned.add(entry);
    for (const child of tree.childrenOf(entry)) pending.push(child);
  }
  return withBackups(abandoned, entries);
}

/**
 * Messages that a summary on the current path already stands for: the path that the agent was on
 * when it made the summary, and what an earlier summary stood for. Nothing but their order in the
 * file links the two. Stays: the first message, by which people know the session, and what another
 * branch goes through.
 */
export function findSummarized({ tree, entries }: Forest): ReadonlySet<Entry> {
  const messages = entries.filter(({ aside }) => !aside);
  const kept = new Set(getPath(tree, tree.leaf));
  const summarized = new Set<Entry>();
  let [root] = kept;
  while (root?.type === 'compaction') {
    const before: Entry | undefined = messages[messages.indexOf(root) - 1];
    const path = getPath(tree, before).filter((entry) => !kept.has(entry));
    for (const entry of path) kept.add(entry);
    for (const entry of path) summarized.add(entry);
    [root] = path;
  }
  const [first] = messages;
  if (first) summarized.delete(first);
  return withBackups(withoutBranchPoints(summarized, tree), entries);
}

/** A message stays when another branch goes through it, and so does all above it. */
function withoutBranchPoints(entries: ReadonlySet<Entry>, tree: Tree): ReadonlySet<Entry> {
  const left = new Set(entries);
  for (const entry of entries) {
    const isShared = tree.childrenOf(entry).some((child) => !entries.has(child));
    if (!isShared) continue;
    for (let at: Entry | undefined = entry; at && left.delete(at);) at = tree.parentOf(at);
  }
  return left;
}

function withBackups(messages: ReadonlySet<Entry>, entries: readonly Entry[]): ReadonlySet<Entry> {
  const ids = new Set(Array.from(messages, ({ id }) => id));
  const isAboutThem = ({ aside, targetId }: Entry): boolean =>
    aside === true && targetId !== undefined && ids.has(targetId);
  return new Set([...messages, ...entries.filter(isAboutThem)]);
}
