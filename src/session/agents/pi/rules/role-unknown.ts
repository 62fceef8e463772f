import { getString } from '../../../jsonl/edit/json.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { getMessage } from '../format.ts';
import { checkEntries } from './entry-lines.ts';
import { isKnownRole } from './message-shape.ts';

/** A message of a role that neither pi nor oh-my-pi knows. */
export const roleUnknown: Rule = {
  id: 'role-unknown',
  level: 'info',
  fixable: false,
  summary: 'a message of an unknown role',
  help:
    'Programs built on pi add roles of their own. pi neither shows such a message nor sends it to ' +
    'the model. Nothing to repair, unless the role is misspelled.',
  check: (report, { framing }) => ({
    line: checkEntries(framing, (entry, line) => {
      const message = getMessage(entry);
      const role = message && getString(message, 'role');
      if (role === undefined || isKnownRole(role)) return;
      report(toPlace(line, entry), `unknown role ${quote(role)}`);
    }),
  }),
};
