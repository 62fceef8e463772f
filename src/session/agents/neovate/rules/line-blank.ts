import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';

/** White space, but not nothing. */
export const lineBlank: Rule = {
  id: 'line-blank',
  level: 'error',
  fixable: true,
  summary: 'a line of white space, which keeps Neovate from opening the session',
  help:
    'Neovate skips an empty line, but parses a line of spaces, or of the carriage return that an ' +
    'editor left, and gives up because it is not JSON. `--fix` moves the line to the `.rejected` ' +
    'file.',
  check: (report) => ({
    line(line, content) {
      if (isWhiteSpace(line, content)) report(toPlace(line), 'holds nothing but white space');
    },
  }),
  takesOutLine: isWhiteSpace,
};

function isWhiteSpace(line: Line, content: LineContent): boolean {
  return content.kind === 'blank' && line.length > 0;
}
