import type { Rule } from '../dialect/rule.ts';
import { describeCycle, findCycles } from './cycles.ts';
import { checkRelations, surveyParents } from './relations.ts';

/** Entries that are their own ancestors. */
export const entryCycle: Rule = {
  id: 'entry-cycle',
  level: 'error',
  fixable: false,
  summary: 'entries that are their own ancestors',
  help:
    'No agent writes this; a wrong edit or a repeated id does. If the current path leads into the ' +
    'cycle, the agent hangs when it opens the session. Give one of the entries another parent: ' +
    'usually the entry before it in the file.',
  check: (report) => ({
    session: checkRelations((checked) => {
      if (!surveyParents(checked).hasLateParent) return;
      const { session, tree, path } = checked;
      const cycles = findCycles(session.entries, (entry) => tree.parentOf(entry));
      const onPath = new Set(cycles.length > 0 ? path : []);
      for (const cycle of cycles) {
        const { first, what } = describeCycle(cycle);
        report(first, onPath.has(first) ? `${what}: the agent hangs` : what);
      }
    }),
  }),
};
