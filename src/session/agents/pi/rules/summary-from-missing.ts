import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkRelations } from '../../../rules/relations.ts';
import { ROOT } from '../../../model/entry.ts';

/** A branch summary of a branch that is not there. */
export const summaryFromMissing: Rule = {
  id: 'summary-from-missing',
  level: 'info',
  fixable: false,
  summary: 'a branch summary of a branch that is not in the file',
  help:
    'The summary stands for a branch that ended in the entry that it names. It still counts, but ' +
    'that branch cannot be looked up. If the header names a parent, the branch is in the parent, ' +
    'and nothing is reported. Nothing to repair.',
  check: (report) => ({
    session: checkRelations(({ session, tree }) => {
      if (session.header?.parentSession !== undefined) return;
      for (const entry of session.entries) {
        if (entry.type !== 'branch_summary' || entry.fromId === undefined) continue;
        if (entry.fromId === ROOT || tree.get(entry.fromId)) continue;
        report(
          entry,
          `the branch it sums up, which ended in ${quote(entry.fromId)}, is not in the file`,
        );
      }
    }),
  }),
};
