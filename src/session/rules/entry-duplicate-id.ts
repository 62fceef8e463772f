import type { Rule } from '../dialect/rule.ts';
import { quote } from './wording.ts';
import { checkRelations } from './relations.ts';
import { formatNumber } from '../model/text/numbers.ts';

/** Two entries of one id: the tree has room for one of them. */
export const entryDuplicateId: Rule = {
  id: 'entry-duplicate-id',
  level: 'error',
  fixable: false,
  summary: 'an id that an earlier entry has',
  help:
    'The later entry wins: the earlier one is no longer in the tree, and its children are ' +
    'attached to the later one. Files that were concatenated look like this. If the two are ' +
    'equal, remove one; otherwise give the later one another id, and make that the parent of the ' +
    'entries below it.',
  check: (report) => ({
    session: checkRelations(({ session, tree }) => {
      const ids = new Set<string>();
      for (const entry of session.entries) {
        if (entry.id !== undefined && tree.get(entry.id) !== entry) ids.add(entry.id);
      }
      if (ids.size === 0) return;
      const lines = new Map<string, number>();
      for (const entry of session.entries) {
        if (entry.id === undefined || !ids.has(entry.id)) continue;
        const earlier = lines.get(entry.id);
        lines.set(entry.id, entry.line);
        if (earlier === undefined) continue;
        report(entry, `id ${quote(entry.id)} is already on line ${formatNumber(earlier)}`);
      }
    }),
  }),
};
