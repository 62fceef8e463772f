import { HARNESS, isBoundary } from '../entry/to-entry.ts';
import { type AsideType, REQUEST_TYPES } from '../format.ts';
import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { getCurrentPath, type Tree } from '../../../model/tree/tree.ts';
import { listPreservedIds, withSnapshots } from './needed.ts';

/** Lines about the time before a boundary, which no one reads behind it. */
const OF_THEIR_TIME: ReadonlySet<string> = new Set<AsideType>([
  'last-prompt',
  'queue-operation',
  ...REQUEST_TYPES,
]);

/**
 * Finds the entries before the last boundary, if the current path begins there: the summary replaces them.
 * Kept: the entries that the boundary keeps, those that a branch behind it is attached to, titles and
 * settings, and the first message of a user, by which people know the session.
 */
export function findSummarized({ tree, entries }: Forest): ReadonlySet<Entry> {
  const boundary = entries.findLast(isBoundary);
  const path = new Set(getCurrentPath(tree));
  const [beginning] = path;
  if (!boundary || beginning !== boundary) return new Set();
  const before = entries.filter(({ offset }) => offset < boundary.offset);
  const needed = findNeeded(entries, boundary, tree);
  const stays = (entry: Entry): boolean => entry.offset >= boundary.offset || needed.has(entry);
  const preserved = listPreservedIds(entries.filter(stays));
  const first = entries.find(({ role, customType }) => role === 'user' && customType !== HARNESS);
  const isSummarized = (entry: Entry): boolean => {
    if (entry.aside) return OF_THEIR_TIME.has(entry.type);
    if (entry === first || path.has(entry) || needed.has(entry)) return false;
    return !preserved.has(entry.id ?? '');
  };
  return withSnapshots(before.filter(isSummarized), entries);
}

/** Finds the ancestors of entries behind the boundary that are not attached to it. */
function findNeeded(entries: readonly Entry[], boundary: Entry, tree: Tree): ReadonlySet<Entry> {
  const needed = new Set<Entry>();
  for (const entry of entries) {
    if (entry.offset < boundary.offset || entry.aside) continue;
    for (let at = tree.parentOf(entry); at && !needed.has(at); at = tree.parentOf(at)) {
      needed.add(at);
    }
  }
  return needed;
}
