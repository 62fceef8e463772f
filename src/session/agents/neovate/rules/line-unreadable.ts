import { getDamage } from '../../../rules/line-damage.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';

/** Malformed in no way that has a rule of its own, in a file that must not have one such line. */
export const lineUnreadable: Rule = {
  id: 'line-unreadable',
  level: 'error',
  fixable: true,
  summary: 'a line that is not JSON, which keeps Neovate from opening the session',
  help:
    'Neovate parses every line when it opens a session, and gives up at the first that fails: ' +
    'this one line makes all others unreachable. Usually it is the rest of a write that a crash ' +
    'cut off, with other data before or after it. Repair the line in an editor if you can see ' +
    'what it should have been; otherwise `--fix` moves it to the `.rejected` file.',
  check: (report) => ({
    line(line, content) {
      if (getDamage(line, content)?.kind === 'malformed') {
        report(toPlace(line), 'line is not JSON: Neovate does not open the session');
      }
    },
  }),
  takesOutLine: (line, content) => getDamage(line, content)?.kind === 'malformed',
};
