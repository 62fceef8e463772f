import { getDamage } from './line-damage.ts';
import { toPlace } from './place.ts';
import type { Rule } from '../dialect/rule.ts';
import { formatCounted } from '../model/text/numbers.ts';

/** NUL bytes before, after or between records; inside one they make it a malformed line. */
export const lineNul: Rule = {
  id: 'line-nul',
  level: 'error',
  fixable: true,
  summary: 'NUL bytes beside a record or instead of one',
  help:
    'After a power cut, some file systems leave NUL bytes where data had not reached the disk. ' +
    'The agent skips the whole line, even if it also holds whole records. `--fix` moves the NUL ' +
    'bytes, and the rest of a record that they cut, to the `.rejected` file, and keeps whole ' +
    'records.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      const damage = getDamage(line, content);
      if (damage?.kind !== 'nul') return;
      let count = 0;
      for (const { kind, start, end } of damage.fragments) if (kind === 'nul') count += end - start;
      report(toPlace(line), `holds ${formatCounted(count, 'NUL byte')}`);
    },
  }),
};
