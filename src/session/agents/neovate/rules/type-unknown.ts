import { getString } from '../../../jsonl/edit/json.ts';
import { toPlace } from '../../../rules/place.ts';
import { isKnownLine } from '../format.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';

/** A line that only a newer release knows, if any does. */
export const typeUnknown: Rule = {
  id: 'type-unknown',
  level: 'info',
  fixable: false,
  summary: 'a line of a type that Neovate does not know',
  help:
    'Neovate skips lines of a type that it does not know, and so does coppice: they are kept ' +
    'where they are. A newer release or another program wrote the line.',
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'object') return;
      const type = getString(content.value, 'type');
      if (type === undefined) report(toPlace(line), 'has no type');
      else if (!isKnownLine(content.value)) report(toPlace(line), `is of the type ${quote(type)}`);
    },
  }),
};
