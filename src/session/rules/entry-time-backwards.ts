import type { Entry } from '../model/entry.ts';
import type { Rule } from '../dialect/rule.ts';
import { checkRelations } from './relations.ts';
import { formatNumber } from '../model/text/numbers.ts';

/** An entry older than the one before it in the file. */
export const entryTimeBackwards: Rule = {
  id: 'entry-time-backwards',
  level: 'info',
  fixable: false,
  summary: 'an entry older than the one before it',
  help:
    'Agents append, so times only increase, unless the clock was set back, two processes wrote at ' +
    'once, or lines were merged. Labels are not checked, since a fork repeats them with their old ' +
    'times. Nothing to repair, but a hint if something else looks wrong.',
  check: (report) => ({
    session: checkRelations(({ session }) => {
      let previous: Entry | undefined;
      for (const entry of session.entries) {
        if (entry.type === 'label' || Number.isNaN(entry.time)) continue;
        if (previous && entry.time < previous.time) {
          report(
            entry,
            `is ${formatSpan(previous.time - entry.time)} older than the entry before it`,
          );
        }
        previous = entry;
      }
    }),
  }),
};

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

function formatSpan(milliseconds: number): string {
  const [size, unit] = UNITS.find(([least]) => milliseconds >= least) ?? [1, 'ms'];
  return `${formatNumber(Math.floor(milliseconds / size))} ${unit}`;
}
