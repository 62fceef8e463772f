import type { CheckedSession, KeptLater } from '../../../dialect/rule.ts';
import type { Entry } from '../../../model/entry.ts';
import { getPath, type Tree } from '../../../model/tree/tree.ts';
import { contributes } from '../context/context.ts';
import { findToolUses } from './tool-uses.ts';

/**
 * Results without their call, where another branch has the call: a compaction cuts it off and keeps
 * the result. It may keep from the next entry on, if nothing else that the model sees is between.
 */
export function keepLater({ file, tree, contexts, getAllContexts }: CheckedSession): KeptLater {
  const uses = findToolUses(file);
  const entries = new Set<Entry>();
  const firstKept = new Map<Entry, Entry>();
  for (const context of contexts) {
    const [compaction] = context;
    if (compaction?.type !== 'compaction') continue;
    const needed = uses
      .findUnpaired([context])
      .results.map(({ entry }) => entry)
      .filter((entry) => uses.isPairedIn(getAllContexts(), entry));
    const first = findFirstKept(tree, compaction, new Set(needed));
    if (!first) continue;
    firstKept.set(compaction, first);
    for (const entry of needed) entries.add(entry);
  }
  return { entries, firstKept };
}

/** The entry behind the last of some that a compaction keeps first. */
function findFirstKept(
  tree: Tree,
  compaction: Entry,
  passed: ReadonlySet<Entry>,
): Entry | undefined {
  const path = getPath(tree, compaction).slice(0, -1);
  const kept = path.slice(path.findIndex(({ id }) => id === compaction.firstKeptEntryId));
  const last = kept.findLastIndex((entry) => passed.has(entry));
  const isAlone = kept.slice(0, last).every((entry) => passed.has(entry) || !contributes(entry));
  return last !== -1 && isAlone ? kept[last + 1] : undefined;
}
