import type { ClaudeCodeEntry } from '../../entry/to-entry.ts';
import { Bridges } from './bridges.ts';
import type { Loaded } from '../loaded.ts';

/**
 * The way from a leaf to where the conversation begins, the leaf first. Where a parent is not there, or
 * is on the way already, another entry may stand in for it.
 */
export function climb(loaded: Loaded, leaf: ClaudeCodeEntry): ReadonlySet<ClaudeCodeEntry> {
  const way = new Set<ClaudeCodeEntry>();
  let bridges: Bridges | undefined;
  let at: ClaudeCodeEntry | undefined = leaf;
  while (at) {
    way.add(at);
    if (!loaded.parentIdOf(at)) break;
    const parent = loaded.parentOf(at);
    if (parent && !way.has(parent)) at = parent;
    else at = (bridges ??= new Bridges([...loaded.nodes()])).find(at, (entry) => way.has(entry));
  }
  return way;
}
