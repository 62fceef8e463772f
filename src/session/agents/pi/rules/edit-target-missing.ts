import type { Entry } from '../../../model/entry.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkRelations, visitWithAncestors } from '../../../rules/relations.ts';

/** A context edit of an entry that is not on its path. */
export const editTargetMissing: Rule = {
  id: 'edit-target-missing',
  level: 'warning',
  fixable: false,
  summary: 'a context edit of an entry that is missing, or not before it on its path',
  help:
    'An edit replaces or omits an earlier entry of its own path for the model. This one has no ' +
    'effect: the entry that it should replace or omit, such as a failed attempt, is still in the ' +
    'context. Correct the `targetId`.',
  check: (report) => ({
    session: checkRelations((checked) => {
      const edits = checked.session.entries.filter(({ type }) => type === 'context_edit');
      const getTarget = (entry: Entry) => entry.targetId;
      visitWithAncestors(checked, edits, getTarget, (entry, isAbove) => {
        if (entry.targetId === undefined || isAbove) return;
        const where = checked.tree.get(entry.targetId) ? 'on the path before it' : 'in the file';
        report(entry, `edited entry ${quote(entry.targetId)} is not ${where}`);
      });
    }),
  }),
};
