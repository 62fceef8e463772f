import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';

/** A whole last line that only lacks its line feed. */
export const lineUnterminated: Rule = {
  id: 'line-unterminated',
  level: 'warning',
  fixable: true,
  summary: 'a last line without its line feed',
  help:
    'The line is whole, but an agent that appends without checking glues its next entry to it, ' +
    'and both are lost. Current releases of pi and Claude Code add the line feed themselves, and ' +
    'so does `--fix`.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (line.terminated || (content.kind !== 'object' && content.kind !== 'scalar')) return;
      report(toPlace(line), 'the last line has no line feed');
    },
  }),
};
