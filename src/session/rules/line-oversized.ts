import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';
import { formatNumber } from '../model/text/numbers.ts';

/** Finds a line that is longer than a string can be: no agent on Node can read it. */
export const lineOversized: Rule = {
  id: 'line-oversized',
  level: 'error',
  fixable: false,
  summary: 'a line that is too long to be read',
  help:
    'A line of more than 512 MiB does not fit into a string, so the agent fails on the whole ' +
    'file. Images and tool output inside a message cause such lines. Remove the line with a tool ' +
    'that does not read it into memory; its entry is then missing. No coppice command changes ' +
    'such a file.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'oversized') return;
      report(toPlace(line), `is too long to be read: ${formatNumber(line.length)} bytes`);
    },
  }),
};
