import { getDamage } from './line-damage.ts';
import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';

const NUL = 0;
// The message of V8 about the syntax, without the text that it quotes.
const SYNTAX = /^(?!Unexpected token)([A-Za-z ',}\]]+?) in JSON/;

/** A line that is not JSON, and is damaged in no way that has a rule of its own. */
export const lineMalformed: Rule = {
  id: 'line-malformed',
  level: 'error',
  fixable: false,
  summary: 'a line that is not JSON',
  help:
    'The agent skips such a line silently, so its entry is missing, and everything above it is ' +
    'cut off. Only a person can know what the line should have been: repair it in an editor, or ' +
    'remove it. Every coppice command keeps it where it is, byte for byte.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'malformed' || getDamage(line, content)?.kind !== 'malformed') return;
      if (line.bytes.includes(NUL)) {
        return report(toPlace(line), 'line is not JSON: NUL bytes have replaced a part of it');
      }
      const syntax = SYNTAX.exec(content.reason)?.[1]?.toLowerCase();
      report(toPlace(line), syntax ? `line is not JSON: ${syntax}` : 'line is not JSON');
    },
  }),
};
