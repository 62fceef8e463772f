import { START_OF_FILE } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';

/** A file of entries that pi does not take for a session. */
export const headerMissing: Rule = {
  id: 'header-missing',
  level: 'error',
  fixable: false,
  summary: 'no header',
  help:
    'Without a `session` line, pi neither opens nor lists the file. If the first line is damaged, ' +
    'repair it; otherwise add a header there: ' +
    '`{"type":"session","version":3,"id":"…","timestamp":"…","cwd":"…"}`, with the id from the ' +
    'name of the file, and version 1 if the entries have no ids.',
  check: (report) => ({
    session({ session }) {
      if (!session.header) report(START_OF_FILE, 'has no header: pi does not open it');
    },
  }),
};
