import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkRelations } from '../../../rules/relations.ts';

/** A label on an entry that is not there. */
export const labelTargetMissing: Rule = {
  id: 'label-target-missing',
  level: 'warning',
  fixable: false,
  summary: 'a label on an entry that is not in the file',
  help:
    'The label is never shown. Its target was lost, or the label was copied without it. The ' +
    'session works without it: correct the `targetId`, or remove the label and attach its ' +
    'children to its parent.',
  check: (report) => ({
    session: checkRelations(({ session, tree }) => {
      for (const entry of session.entries) {
        if (entry.type !== 'label' || entry.targetId === undefined || tree.get(entry.targetId))
          continue;
        report(entry, `labeled entry ${quote(entry.targetId)} is not in the file`);
      }
    }),
  }),
};
