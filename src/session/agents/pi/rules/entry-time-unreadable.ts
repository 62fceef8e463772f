import type { Rule } from '../../../dialect/rule.ts';
import { CURRENT_VERSION } from '../format.ts';

/** An entry whose time cannot be read. */
export const entryTimeUnreadable: Rule = {
  id: 'entry-time-unreadable',
  level: 'warning',
  fixable: false,
  summary: 'an entry whose timestamp is missing or is not a time',
  help:
    'The agent sorts branches by this time, and uses it for a message that has no time of its ' +
    'own. The order of siblings is then arbitrary. Write the time of a neighboring entry there.',
  check: (report) => ({
    session({ session: { formatVersion, entries } }) {
      if (formatVersion > CURRENT_VERSION) return;
      for (const entry of entries) {
        if (Number.isNaN(entry.time)) report(entry, 'the timestamp is missing, or is not a time');
      }
    },
  }),
};
