import type { Entry } from '../model/entry.ts';
import type { CheckedSession, Rule } from '../dialect/rule.ts';
import { quote } from './wording.ts';
import { checkRelations, surveyParents } from './relations.ts';
import { formatNumber } from '../model/text/numbers.ts';

/** An entry whose parent is not in the file. */
export const entryOrphan: Rule = {
  id: 'entry-orphan',
  level: 'warning',
  fixable: false,
  summary: 'an entry whose parent is not in the file',
  help:
    'The agent treats such an entry as a root. On the current path, that cuts off the history ' +
    'before it: the model no longer gets it. The cause is a write that failed, or a line that ' +
    'does not parse: look for a damaged line before it, and repair that. To bridge the gap ' +
    'instead, give the entry the id of the last entry before it as its parent.',
  check: (report) => ({
    session: checkRelations((checked) => {
      if (!surveyParents(checked).hasOrphan) return;
      const { tree, path, session } = checked;
      for (const entry of session.entries) {
        if (entry.parentId === null || tree.get(entry.parentId)) continue;
        const share = entry === path[0] ? describeShare(checked, entry) : '';
        report(entry, `parent ${quote(entry.parentId)} is not in the file${share}`);
      }
    }),
  }),
};

/** Returns how many of the entries before it the current leaf would otherwise have behind it. */
function describeShare({ session, path }: CheckedSession, orphan: Entry): string {
  const isBefore = (entry: Entry): boolean => entry.offset < orphan.offset;
  const entries = session.entries.filter(({ aside }) => !aside);
  const count = countWhere(entries, isBefore) - countWhere(path, isBefore);
  if (count === 0) return '';
  const all = formatNumber(entries.length);
  return `: ${formatNumber(count)} of ${all} entries ${count === 1 ? 'is' : 'are'} cut off`;
}

function countWhere(entries: readonly Entry[], isCounted: (entry: Entry) => boolean): number {
  let count = 0;
  for (const entry of entries) if (isCounted(entry)) count += 1;
  return count;
}
