import { isWellFormed } from '../jsonl/read/parse-line.ts';
import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';

/** A line that parses, but not all of whose bytes are text. */
export const lineInvalidUtf8: Rule = {
  id: 'line-invalid-utf8',
  level: 'warning',
  fixable: false,
  summary: 'a line that is not valid UTF-8',
  help:
    'The agent reads the invalid bytes as U+FFFD, and writes U+FFFD when it copies the entry. ' +
    'Usually the output of a tool was stored without being decoded. The session works; the ' +
    'original bytes can only be found at their source.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'object' && content.kind !== 'scalar') return;
      if (!isWellFormed(line, content))
        report(toPlace(line), 'holds bytes that are not valid UTF-8');
    },
  }),
};
