import type { Entry } from '../model/entry.ts';
import type { CheckedSession } from '../dialect/rule.ts';
import { type Tree, walkTree } from '../model/tree/tree.ts';
import { remember } from './remember.ts';

type SessionCheck = (checked: CheckedSession) => void;

/**
 * Runs a check of how entries relate, where they can: not in versions we do not know, and not in
 * old entries under a newer header, which have neither ids nor parents.
 */
export function checkRelations(check: SessionCheck): SessionCheck {
  return (checked) => {
    const first = checked.session.entries.find(({ aside }) => !aside);
    if (checked.isKnownVersion && first?.id !== undefined) check(checked);
  };
}

/**
 * Finds out whether the entry that each of these is about is above it: cheaply on the current path,
 * which has nearly all of them; by a walk over the whole tree for the others. Entries that no root
 * leads to are left out.
 */
export function visitWithAncestors(
  { tree, path }: CheckedSession,
  entries: readonly Entry[],
  getTarget: (entry: Entry) => string | undefined,
  visit: (entry: Entry, isAbove: boolean) => void,
): void {
  if (entries.length === 0) return;
  const asked = new Set(entries.flatMap((entry) => [entry.id, getTarget(entry)]));
  const depths = new Map<string | undefined, number>();
  path.forEach(({ id }, depth) => {
    if (asked.has(id)) depths.set(id, depth);
  });
  const elsewhere = new Set<Entry>();
  for (const entry of entries) {
    const depth = depths.get(entry.id);
    if (depth === undefined || path[depth] !== entry) elsewhere.add(entry);
    else visit(entry, (depths.get(getTarget(entry)) ?? depth) < depth);
  }
  if (elsewhere.size > 0) walkWithAncestors(tree, elsewhere, getTarget, visit);
}

function walkWithAncestors(
  tree: Tree,
  entries: ReadonlySet<Entry>,
  getTarget: (entry: Entry) => string | undefined,
  visit: (entry: Entry, isAbove: boolean) => void,
): void {
  const path: Entry[] = [];
  const ids = new Set<string | undefined>();
  for (const { entry, depth } of walkTree(tree)) {
    for (const left of path.splice(depth)) if (left.id !== undefined) ids.delete(left.id);
    if (entries.has(entry)) visit(entry, ids.has(getTarget(entry)));
    path.push(entry);
    if (entry.id !== undefined) ids.add(entry.id);
  }
}

/** The order of parents and children in a whole session. */
export interface ParentSurvey {
  /** Some parent is not above its child in the file. Only then can there be a cycle. */
  readonly hasLateParent: boolean;
  /** Some parent is not in the file. */
  readonly hasOrphan: boolean;
}

/** Looks at all parents, for all rules that ask. */
export const surveyParents = remember(({ session, tree }: CheckedSession): ParentSurvey => {
  let [hasLateParent, hasOrphan] = [false, false];
  for (const entry of session.entries) {
    if (entry.parentId === null) continue;
    const parent = tree.get(entry.parentId);
    if (parent === undefined) hasOrphan = true;
    else if (parent.offset >= entry.offset) hasLateParent = true;
  }
  return { hasLateParent, hasOrphan };
});
