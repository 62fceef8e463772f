import type { ClaudeCodeEntry, Preserved } from '../entry/to-entry.ts';

/** The nodes that a boundary keeps, each attached where the client attaches it. */
export interface PreservedChain {
  /** In their order. */
  readonly nodes: readonly ClaudeCodeEntry[];
  /** The parents of those that get another one. */
  readonly parents: ReadonlyMap<ClaudeCodeEntry, ClaudeCodeEntry>;
}

/**
 * Works out what the client keeps of the time before a boundary: all that is named, or nothing where
 * one of them is not there. Undefined for nothing. `nodes` are those of the file, by id.
 */
export function findPreserved(
  preserved: Preserved,
  nodes: ReadonlyMap<string, ClaudeCodeEntry>,
): PreservedChain | undefined {
  const anchor = nodes.get(preserved.anchorId);
  const kept = listKept(preserved, nodes);
  const [head] = kept ?? [];
  const tail = kept?.at(-1);
  if (!anchor || !kept || !head || !tail || kept.includes(anchor)) return undefined;
  const parents = new Map<ClaudeCodeEntry, ClaudeCodeEntry>([[head, anchor]]);
  // A list is a straight line; the nodes between two ends are one already.
  if (preserved.ids) {
    for (const [index, node] of kept.entries()) {
      const before = kept[index - 1];
      if (before) parents.set(node, before);
    }
  }
  const keptNodes = new Set(kept);
  for (const node of nodes.values()) {
    if (node.parentId === preserved.anchorId && !keptNodes.has(node)) parents.set(node, tail);
  }
  return { nodes: kept, parents };
}

function listKept(
  { ids, headId, tailId }: Preserved,
  nodes: ReadonlyMap<string, ClaudeCodeEntry>,
): readonly ClaudeCodeEntry[] | undefined {
  if (ids) {
    const found = [...new Set(ids)].map((id) => nodes.get(id));
    return found.length > 0 && found.every((node) => node !== undefined) ? found : undefined;
  }
  const kept: ClaudeCodeEntry[] = [];
  const seen = new Set<ClaudeCodeEntry>();
  for (let at = nodes.get(tailId ?? ''); at && !seen.has(at); at = nodes.get(at.parentId ?? '')) {
    kept.push(at);
    seen.add(at);
    if (at.id === headId) return kept.toReversed();
  }
  return undefined;
}
