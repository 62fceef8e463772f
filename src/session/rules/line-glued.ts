import { type Fragment, getDamage } from './line-damage.ts';
import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';
import { formatNumber } from '../model/text/numbers.ts';

/** Several records where one should be: the line feed between them was never written. */
export const lineGlued: Rule = {
  id: 'line-glued',
  level: 'error',
  fixable: true,
  summary: 'two or more records on one line',
  help:
    'An entry was appended to a line without a line feed, usually one that a crash had cut off. ' +
    'The agent reads none of the records, or only the first. `--fix` gives every whole record a ' +
    'line of its own, byte for byte, and moves the rest of a cut-off one to the `.rejected` file. ' +
    'Positions within the line are in bytes from its start.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      const damage = getDamage(line, content);
      if (damage?.kind === 'glued') report(toPlace(line), describe(damage.fragments));
    },
  }),
};

function describe(fragments: readonly Fragment[]): string {
  const records = fragments.filter(({ kind }) => kind === 'record');
  const [first, second] = fragments;
  const at = `begins at byte ${formatNumber(second?.start ?? 0)} of the line`;
  if (first?.kind === 'junk')
    return `a cut-off record and a whole one on one line, the whole one ${at}`;
  if (records.length === 1)
    return `a whole record and a cut-off one on one line, the cut-off one ${at}`;
  const count = records.length === 2 ? 'two' : formatNumber(records.length);
  return `${count} records on one line, the second ${at}`;
}
