import { getString } from '../../../jsonl/edit/json.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { isKnownEntryType } from '../format.ts';
import { checkEntries } from './entry-lines.ts';

/** An entry of a type that neither pi 1.6 nor oh-my-pi writes: of an extension, or of a newer release. */
export const entryTypeUnknown: Rule = {
  id: 'entry-type-unknown',
  level: 'info',
  fixable: false,
  summary: 'an entry of an unknown type',
  help:
    'Extensions and newer releases write types of their own. pi keeps such entries ' +
    'in the tree and ignores them otherwise, and so does every coppice command. Nothing to repair.',
  check: (report, { framing }) => ({
    line: checkEntries(framing, (entry, line) => {
      const type = getString(entry, 'type');
      if (type === undefined || isKnownEntryType(type)) return;
      report(toPlace(line, entry), `unknown type ${quote(type)}`);
    }),
  }),
};
