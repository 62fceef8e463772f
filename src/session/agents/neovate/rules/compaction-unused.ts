import type { Rule } from '../../../dialect/rule.ts';
import { checkRelations } from '../../../rules/relations.ts';

/** A summary that the model never saw. */
export const compactionUnused: Rule = {
  id: 'compaction-unused',
  level: 'warning',
  fixable: false,
  summary: 'a summary that nothing follows',
  help:
    'The agent made a summary and continued without it: automatic compaction before 0.12.4 kept ' +
    'the old path, and up to 0.17.1 it lost both. A summary at the end of the file is fine, since ' +
    'the next prompt follows it. Nothing to repair, unless the path begins with an answer.',
  check: (report) => ({
    session: checkRelations(({ session, tree }) => {
      for (const entry of session.entries) {
        if (entry.type !== 'compaction' || entry === tree.leaf) continue;
        if (tree.childrenOf(entry).length === 0) report(entry, 'nothing follows this summary');
      }
    }),
  }),
};
