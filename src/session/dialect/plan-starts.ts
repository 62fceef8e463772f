import { getEntryBefore } from '../model/tree/entry-before.ts';
import { findEntry } from '../model/tree/find-entry.ts';
import type { Entry } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import type { Tree } from '../model/tree/tree.ts';
import type { ForkDialect, ForkPlan, ForkStart } from './forking.ts';

/** The plans that an agent makes. */
export interface ForkPlanner {
  /** Plans a fork of the path to an entry. */
  readonly planPath: (at: Entry | undefined) => ForkPlan;
  /** Plans a fork of everything. */
  readonly planWhole: () => ForkPlan;
  readonly findEnds: ForkDialect['findEnds'];
}

/**
 * Plans the forks that a start asks for.
 * @throws FileError for an entry that is unknown, or cannot be the start of a fork.
 */
export function planStarts(
  start: ForkStart,
  session: Session,
  tree: Tree,
  { planPath, planWhole, findEnds }: ForkPlanner,
): readonly ForkPlan[] {
  switch (start.kind) {
    case 'leaf':
      return [planPath(tree.leaf)];
    case 'at':
      return [planPath(findEntry(session, tree, start.entry))];
    case 'before': {
      const message = findEntry(session, tree, start.entry);
      return [{ ...planPath(getEntryBefore(session, tree, message)), message }];
    }
    case 'whole':
      return [planWhole()];
    case 'each-leaf':
      return findEnds(session, tree).map((end) => planPath(end));
  }
}
