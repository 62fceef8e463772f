import type { Rule } from '../../../dialect/rule.ts';
import { isNode } from '../format.ts';
import { toUuidPlace } from '../../../rules/place.ts';
import { checkLines, NODE } from './node-lines.ts';

/** A line whose place in the conversation is not written down. */
export const nodeUnnamed: Rule = {
  id: 'node-unnamed',
  level: 'warning',
  fixable: false,
  summary: 'a line of Claude Code without a uuid or a parentUuid',
  help:
    'Each line of the conversation has a `uuid`, and names the line before it as its ' +
    '`parentUuid`, or null for the first. No line can name one without a `uuid`: Claude Code ' +
    'knows only the last of these, which may cut off everything before it, and coppice leaves ' +
    'them out. A line whose `parentUuid` is missing or empty begins the conversation, so the ' +
    'model never sees what came before. No release writes such lines: write there the uuid of the ' +
    'line before it.',
  reads: { ...NODE, parentUuid: 'whole' },
  check: (report) => ({
    line: checkLines((value, line) => {
      const { type, parentUuid } = value;
      if (isNode(value)) {
        if (parentUuid === null || parentUuid) return;
        report(toUuidPlace(line, value), 'names no parent: what came before is cut off');
      } else if (type === 'user' || type === 'assistant') {
        report(toUuidPlace(line, value), 'has no uuid, so no other line can follow it');
      }
    }),
  }),
};
