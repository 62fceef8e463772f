import { hasBom } from '../jsonl/read/parse-line.ts';
import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';

/** Three bytes that some editors put before UTF-8 text. */
export const fileBom: Rule = {
  id: 'file-bom',
  level: 'error',
  fixable: true,
  summary: 'a byte order mark at the start of the file',
  help:
    'Some editors write the bytes EF BB BF first. For the agent they make the first line something ' +
    'other than JSON: it finds no header and does not open the session. Claude Code reads past ' +
    'them. `--fix` moves them to the `.rejected` file.',
  reads: {},
  check: (report) => ({
    line(line) {
      if (hasBom(line)) report(toPlace(line), 'the file begins with a byte order mark');
    },
  }),
};
