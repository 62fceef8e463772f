import { getDamage } from './line-damage.ts';
import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';
import { formatCounted } from '../model/text/numbers.ts';

/** The end of the file where a write was cut off. */
export const lineTorn: Rule = {
  id: 'line-torn',
  level: 'error',
  fixable: true,
  summary: 'a last line that is cut off',
  help:
    'A crash, a kill or a full disk in the middle of a write leaves such a line. pi and Claude ' +
    'Code skip it, but an agent that appends without closing it glues its next entry to it, and ' +
    'loses that one too. Neovate no longer opens the session. `--fix` moves the line to the ' +
    '`.rejected` file.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (getDamage(line, content)?.kind !== 'torn') return;
      report(
        toPlace(line),
        `the file ends in the middle of a line, after ${formatCounted(line.length, 'byte')} of it`,
      );
    },
  }),
};
