import type { Entry } from '../../entry.ts';
import type { CheckedSession } from '../../rules/rule.ts';
import { type Tree, walkTree } from '../../tree.ts';
import { CURRENT_VERSION } from '../format.ts';

type SessionCheck = (checked: CheckedSession) => void;

/**
 * Runs a check of how entries relate, where they can: not in versions we do not know, and not in
 * old entries under a newer header, which have neither ids nor parents.
 */
export function checkRelations(check: SessionCheck): SessionCheck {
  return (checked) => {
    const { formatVersion, entries } = checked.session;
    if (formatVersion <= CURRENT_VERSION && entries[0]?.id !== undefined) check(checked);
  };
}

/** Visits every entry that a root leads to, with the ids of the entries above it. */
export function walkWithAncestors(
  tree: Tree,
  visit: (entry: Entry, ancestors: ReadonlySet<string>) => void,
): void {
  const path: Entry[] = [];
  const ids = new Set<string>();
  for (const { entry, depth } of walkTree(tree)) {
    for (const left of path.splice(depth)) if (left.id !== undefined) ids.delete(left.id);
    visit(entry, ids);
    path.push(entry);
    if (entry.id !== undefined) ids.add(entry.id);
  }
}
