import {
  type ClaudeCodeEntry,
  isBoundary,
  isMessage,
  type Preserved,
} from '../../entry/to-entry.ts';
import type { Loaded } from '../loaded.ts';

/**
 * Leaves of the time before the last boundary what that keeps, and attaches it behind. Undefined where
 * nothing is kept; else the last that is.
 *
 * The client does so in a session in which any boundary keeps something: where the last one does not,
 * nothing is left of the time before it. Where one of the kept is not there, all is left as it was.
 */
export function keepPreserved(loaded: Loaded): ClaudeCodeEntry | undefined {
  const nodes = [...loaded.nodes()];
  const last = nodes.findLastIndex(isBoundary);
  const boundary = nodes[last];
  if (!boundary || !nodes.some(({ preserved }) => preserved !== undefined)) return undefined;
  const kept = boundary.preserved ? listKept(boundary.preserved, loaded) : [];
  if (!kept) return undefined;
  const end = kept.at(-1);
  if (boundary.preserved && end) chain(loaded, boundary.preserved.anchorId, kept);
  const keeps = new Set(kept);
  const dropped = new Set<string>();
  for (const node of nodes.slice(0, last)) {
    if (keeps.has(node) || node.id === undefined) continue;
    dropped.add(node.id);
    loaded.drop(node);
  }
  if (end?.id === undefined || dropped.size === 0) return end;
  for (const node of loaded.nodes()) {
    // A message behind an entry that is not kept continues behind one that is.
    if (isMessage(node) && dropped.has(loaded.parentIdOf(node) ?? '')) loaded.attach(node, end.id);
  }
  return end;
}

/** One behind the other, and the children of the anchor after all of them. */
function chain(loaded: Loaded, anchorId: string | null, kept: readonly ClaudeCodeEntry[]): void {
  let before = anchorId;
  for (const node of kept) {
    loaded.attach(node, before);
    before = node.id ?? null;
  }
  if (anchorId === null) return;
  for (const node of loaded.nodes()) {
    if (loaded.parentIdOf(node) === anchorId && node !== kept[0]) loaded.attach(node, before);
  }
}

/** Undefined where one of them is not there. */
function listKept(
  { ids, headId, tailId }: Preserved,
  loaded: Loaded,
): readonly ClaudeCodeEntry[] | undefined {
  if (ids) {
    const found = ids.map((id) => loaded.get(id));
    return found.every((node) => node !== undefined) ? found : undefined;
  }
  const kept: ClaudeCodeEntry[] = [];
  const seen = new Set<ClaudeCodeEntry>();
  for (let at = loaded.get(tailId); at && !seen.has(at); at = loaded.parentOf(at)) {
    kept.push(at);
    seen.add(at);
    if (at.id === headId) return kept.toReversed();
  }
  return undefined;
}
