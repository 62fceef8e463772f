import { addTo } from '../../../../model/tree/group-by.ts';
import { type ClaudeCodeEntry, isMessage } from '../../entry/to-entry.ts';

/**
 * Lists the entries attached to the last message that are not messages, each followed by its own, oldest
 * first.
 */
export function listTrail(
  nodes: readonly ClaudeCodeEntry[],
  parentIdOf: (node: ClaudeCodeEntry) => string | null,
  message: ClaudeCodeEntry,
  known: ReadonlySet<ClaudeCodeEntry>,
): readonly ClaudeCodeEntry[] {
  const isNote = (node: ClaudeCodeEntry): boolean => !isMessage(node);
  const id = message.id ?? '';
  if (!nodes.some((node) => isNote(node) && parentIdOf(node) === id)) return [];
  const below = new Map<string, ClaudeCodeEntry[]>();
  for (const node of nodes) {
    const parentId = isNote(node) ? parentIdOf(node) : null;
    if (parentId !== null) addTo(below, parentId, node);
  }
  const trail = new Set<ClaudeCodeEntry>();
  const pending = [message];
  for (let at = pending.pop(); at; at = pending.pop()) {
    if (at !== message && (known.has(at) || trail.has(at))) continue;
    if (at !== message) trail.add(at);
    const next = (below.get(at.id ?? '') ?? []).toSorted((a, b) => a.time - b.time || 0);
    for (const one of next.toReversed()) pending.push(one);
  }
  return [...trail];
}
