import type { Entry } from '../../../model/entry.ts';
import { getNumber, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Report, Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkEntries } from './entry-lines.ts';
import { checkRelations, visitWithAncestors } from '../../../rules/relations.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** A compaction that does not find the first entry it keeps. */
export const compactionKeptMissing: Rule = {
  id: 'compaction-kept-missing',
  level: 'warning',
  fixable: false,
  summary: 'a compaction whose first kept entry is missing, or not before it on its path',
  help:
    'A compaction names the first entry that is kept in the context beside the summary. If pi ' +
    'does not find it on the path before the compaction, it keeps nothing: the last messages ' +
    'before the compaction are neither in the context nor in a summary. Write the id of the first ' +
    'entry that should be kept; the id of the compaction itself keeps nothing, on purpose.',
  check(report, { framing }) {
    /** The index that v1 has instead of an id, by where the compaction is. */
    const indexes = new Map<number, number>();
    return {
      line: checkEntries(framing, (entry, line) => recordIndex(indexes, entry, line)),
      session: checkRelations((checked) => {
        const { session, tree } = checked;
        const compactions = session.entries.filter(({ type }) => type === 'compaction');
        const getFirstKept = (entry: Entry) => entry.firstKeptEntryId;
        visitWithAncestors(checked, compactions, getFirstKept, (entry, isAbove) => {
          const id = entry.firstKeptEntryId;
          if (id === undefined) reportNothingNamed(report, entry, indexes.get(entry.offset));
          else if (tree.get(id) === undefined) {
            report(
              entry,
              `first kept entry ${quote(id)} is not in the file: nothing before is kept`,
            );
          } else if (id !== entry.id && !isAbove) {
            report(
              entry,
              `first kept entry ${quote(id)} is not on the path before: nothing is kept`,
            );
          }
        });
      }),
    };
  },
};

function recordIndex(indexes: Map<number, number>, entry: JsonObject, line: Line): void {
  const index = entry['type'] === 'compaction' && getNumber(entry, 'firstKeptEntryIndex');
  if (typeof index === 'number') indexes.set(line.offset, index);
}

function reportNothingNamed(report: Report, entry: Entry, index: number | undefined): void {
  const what =
    index === undefined
      ? 'names no first kept entry'
      : `first kept entry number ${formatNumber(index)} is ${index === 0 ? 'the header' : 'not in the file'}`;
  report(entry, `${what}: nothing before is kept`);
}
