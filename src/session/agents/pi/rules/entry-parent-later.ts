import type { Entry } from '../../../model/entry.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { findCycles } from '../../../rules/cycles.ts';
import { checkRelations, surveyParents } from '../../../rules/relations.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** An entry that stands before its parent in the file. */
export const entryParentLater: Rule = {
  id: 'entry-parent-later',
  level: 'warning',
  fixable: false,
  summary: 'an entry before its parent',
  help:
    'Agents only append, so a parent always comes first; here lines were moved or merged. The ' +
    'tree is still read, but the current leaf is the last line of the file, which may not be the ' +
    'intended one. Move the parent up, or the child down.',
  check: (report) => ({
    session: checkRelations((checked) => {
      if (!surveyParents(checked).hasLateParent) return;
      const seen = new Set<string>();
      const late: { entry: Entry; parent: Entry }[] = [];
      const { session, tree } = checked;
      for (const entry of session.entries) {
        const parent = tree.parentOf(entry);
        if (parent?.id !== undefined && !seen.has(parent.id)) late.push({ entry, parent });
        if (entry.id !== undefined) seen.add(entry.id);
      }
      if (late.length === 0) return;
      // Some entry of a cycle always stands before its parent.
      const cyclic = new Set(findCycles(session.entries, (entry) => tree.parentOf(entry)).flat());
      for (const { entry, parent } of late) {
        if (cyclic.has(entry)) continue;
        const line = formatNumber(parent.line);
        report(entry, `is before its parent ${quote(parent.id ?? '')}, which is on line ${line}`);
      }
    }),
  }),
};
