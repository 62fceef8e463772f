import { toTime } from '../../json.ts';
import { toPlace } from '../../rules/place.ts';
import type { Rule } from '../../rules/rule.ts';
import { quote } from '../../rules/wording.ts';
import { checkEntries } from './entry-lines.ts';

/** An entry whose time cannot be told. */
export const entryTimeUnreadable: Rule = {
  id: 'entry-time-unreadable',
  level: 'warning',
  fixable: false,
  summary: 'an entry whose timestamp is missing or is no time',
  help:
    'The agent sorts branches by it, and dates a message by it that has no time of its own. The ' +
    'order of siblings is then arbitrary. Put the time of a neighbouring entry there.',
  check: (report, framing) => ({
    line: checkEntries(framing, (entry, line) => {
      const { timestamp } = entry;
      if (!Number.isNaN(toTime(timestamp))) return;
      const what =
        timestamp === undefined
          ? 'has no timestamp'
          : typeof timestamp === 'string'
            ? `timestamp ${quote(timestamp)} is no time`
            : 'the timestamp is not a string';
      report(toPlace(line, entry), what);
    }),
  }),
};
