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
    'An entry was appended to a line that had lost its line feed, mostly to one that a crash had ' +
    'cut off. The agent reads none of them, or the first alone, so entries are missing that are all there. `--fix` ' +
    'gives every whole record its own line, byte for byte; what is left of a cut-off one goes to ' +
    'the `.rejected` file. Places within the line are counted in bytes from its start.',
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
