import { toPlace } from '../../../rules/place.ts';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { checkEntries } from './entry-lines.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** More than one entry that says it has no parent. */
export const treeSeveralRoots: Rule = {
  id: 'tree-several-roots',
  level: 'info',
  fixable: false,
  summary: 'more than one root',
  help:
    'Going back to before the first message makes another root, so this is legal. It can also mean ' +
    'that an agent lost its place and began anew: then the model does not know what came before. ' +
    'Entries that are roots by accident have rules of their own.',
  check(report, { framing }) {
    let count = 0;
    let second: Place | undefined;
    const addRoot = (place: Place): void => {
      count += 1;
      if (count === 2) second = place;
    };
    return {
      line: checkEntries(framing, (entry, line, version) => {
        if (version >= 2 && entry['parentId'] === null) addRoot(toPlace(line, entry));
      }),
      unparsed: ({ entry }) => {
        if (entry.parentId === null) addRoot(entry);
      },
      session() {
        if (second) report(second, `the second of ${formatNumber(count)} roots`);
      },
    };
  },
};
