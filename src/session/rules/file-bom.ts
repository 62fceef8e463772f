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
    'Some editors write the bytes EF BB BF first. With them, the first line is not JSON: the ' +
    'agent finds no header and does not open the session. Claude Code skips them. `--fix` moves ' +
    'them to the `.rejected` file.',
  reads: {},
  check: (report) => ({
    line(line) {
      if (hasBom(line)) report(toPlace(line), 'the file begins with a byte order mark');
    },
  }),
};
