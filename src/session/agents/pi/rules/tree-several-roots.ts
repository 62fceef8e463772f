import { toPlace } from '../../../rules/place.ts';
import type { UnparsedEntry } from '../../../dialect/known-shapes.ts';
import type { Collector, FileFacts, Place, Rule, VisitLine } from '../../../dialect/rule.ts';
import { remember } from '../../../rules/remember.ts';
import { checkEntries } from './entry-lines.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** Counts the entries that say they have no parent. */
class Roots implements Collector {
  count = 0;
  second: Place | undefined;
  readonly line: VisitLine;

  constructor({ framing }: FileFacts) {
    this.line = checkEntries(framing, (entry, line, version) => {
      if (version >= 2 && entry['parentId'] === null) this.#add(toPlace(line, entry));
    });
  }

  unparsed({ entry }: UnparsedEntry): void {
    if (entry.parentId === null) this.#add(entry);
  }

  #add(place: Place): void {
    this.count += 1;
    if (this.count === 2) this.second = place;
  }
}

const findRoots = remember((file: FileFacts) => new Roots(file));

/** Finds more than one entry that says it has no parent. */
export const treeSeveralRoots: Rule = {
  id: 'tree-several-roots',
  level: 'info',
  fixable: false,
  summary: 'more than one root',
  help:
    'An agent that goes back to before the first message makes another root, so this is legal. It ' +
    'can also mean that an agent lost its place and started again: then the model does not know ' +
    'what came before. Entries that are roots by accident have rules of their own.',
  collect: findRoots,
  check: (report, file) => ({
    session() {
      const { count, second } = findRoots(file);
      if (second) report(second, `the second of ${formatNumber(count)} roots`);
    },
  }),
};
