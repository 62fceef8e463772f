import type { Entry } from '../../../model/entry.ts';
import type { Tree } from '../../../model/tree/tree.ts';
import { type ClaudeCodeEntry, isBoundary } from '../entry/to-entry.ts';
import { isSpoken } from './fork-path.ts';

/**
 * The last message of every branch, in file order. Results of calls that ran side by side are no
 * branches, nor is what a compaction has closed.
 */
export function findEnds(
  { entries }: { readonly entries: readonly ClaudeCodeEntry[] },
  tree: Tree,
): readonly Entry[] {
  const spoken = entries.filter(isSpoken);
  const inner = findInner(spoken, tree);
  const closed = findClosed(entries, tree);
  const last = findLastResults(spoken, inner, tree);
  return spoken.filter((entry) => {
    if (inner.has(entry) || closed.has(entry) || tree.get(entry.id ?? '') !== entry) return false;
    const call = toCallId(entry, tree);
    return call === undefined || last.get(call) === entry;
  });
}

/** Finds all ancestors of messages. */
function findInner(spoken: readonly Entry[], tree: Tree): ReadonlySet<Entry> {
  const inner = new Set<Entry>();
  for (const entry of spoken) {
    for (let at = tree.parentOf(entry); at && !inner.has(at); at = tree.parentOf(at)) inner.add(at);
  }
  return inner;
}

/** The end of the path that each compaction has summarized: the last message before its boundary. */
function findClosed(entries: readonly ClaudeCodeEntry[], tree: Tree): ReadonlySet<Entry> {
  const closed = new Set<Entry>();
  let before: Entry | undefined;
  for (const entry of entries) {
    if (isBoundary(entry) && !tree.parentOf(entry) && before) closed.add(before);
    if (isSpoken(entry)) before = entry;
  }
  return closed;
}

/** The id of the answer that called the tool of a result. */
function toCallId(entry: Entry, tree: Tree): string | undefined {
  const call = entry.role === 'toolResult' ? tree.parentOf(entry) : undefined;
  return call?.role === 'assistant' ? (call.messageId ?? call.id) : undefined;
}

/**
 * The last result of each message of calls, by the id of that message; undefined where the
 * conversation continues behind one of them.
 */
function findLastResults(
  spoken: readonly Entry[],
  inner: ReadonlySet<Entry>,
  tree: Tree,
): ReadonlyMap<string, Entry | undefined> {
  const last = new Map<string, Entry | undefined>();
  const continues = new Set<string>();
  for (const entry of spoken) {
    const call = toCallId(entry, tree);
    if (call === undefined) continue;
    if (inner.has(entry)) continues.add(call);
    last.set(call, continues.has(call) ? undefined : entry);
  }
  return last;
}
