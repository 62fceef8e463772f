import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';

/** JSON, but nothing that could be an entry. */
export const lineNotObject: Rule = {
  id: 'line-not-object',
  level: 'error',
  fixable: false,
  summary: 'a line that is JSON, but not an object',
  help:
    'Every line of a session is one JSON object. The agent takes a string, a number or an array ' +
    'for an entry without an id, and cannot continue from it; it skips null. No agent writes such ' +
    'a line: remove it with an editor.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'scalar') return;
      const { value } = content;
      const kind =
        value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
      report(toPlace(line), `is ${kind}, not a JSON object`);
    },
  }),
};
