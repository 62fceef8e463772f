import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { isV1Entry, isWithoutPlace } from '../format.ts';
import { checkEntries } from './entry-lines.ts';

/** An entry with no `parentId` at all, not even null: a root by accident. */
export const entryParentMissing: Rule = {
  id: 'entry-parent-missing',
  level: 'warning',
  fixable: false,
  summary: 'an entry without a parentId',
  help:
    'A root has `"parentId": null`. An entry without the key becomes a root by accident, and cuts ' +
    'off everything before it. Some extensions and aborted turns write such entries. Add the ' +
    '`parentId` of the entry before it, if it belongs there.',
  check(report, { framing }) {
    let isOld = true;
    return {
      line: checkEntries(framing, (entry, line, version) => {
        isOld &&= isWithoutPlace(entry);
        if (version > 1 && !(isOld && isV1Entry(entry)) && entry['parentId'] === undefined) {
          report(
            toPlace(line, entry),
            'has no parentId, so it is a root: nothing before it can be reached from it',
          );
        }
      }),
    };
  },
};
