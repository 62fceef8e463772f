import type { Rule } from '../../../dialect/rule.ts';
import { checkMessages } from './message-lines.ts';
import { toUuidPlace } from '../../../rules/place.ts';

/** A parent that is not null, and not there. */
export const parentUnnamed: Rule = {
  id: 'parent-unnamed',
  level: 'warning',
  fixable: false,
  summary: 'a Neovate message without a parentUuid',
  help:
    'Every line that Neovate writes names its parent, or null for a root. A message without a ' +
    'parentUuid ends the path as a root does, so everything before it is cut off. Give it the ' +
    'uuid of the message before it, or null.',
  check: (report) => ({
    line: checkMessages((message, line) => {
      if (!('parentUuid' in message)) report(toUuidPlace(line, message), 'has no parentUuid');
    }),
  }),
};
