import type { Rule } from '../../../dialect/rule.ts';
import { checkTree } from './node-lines.ts';

/** A record with line feeds between its members. */
export const recordSpread: Rule = {
  id: 'record-spread',
  level: 'error',
  fixable: false,
  summary: 'a record of Claude Code that stands on several lines',
  help:
    'Claude Code writes each record on one line. An editor, or `jq` without `-c`, may spread one ' +
    'over several. Claude Code since 2.1.133 reads it; earlier releases and coppice read none of ' +
    'its lines, so the entry is missing there. Every command keeps these lines as they are. `--fix` ' +
    'and a compaction of the context leave such a file unchanged: they would take the entry for ' +
    'lost. Write the record on one line, with an editor or `jq -c`.',
  reads: {},
  check: (report) => ({
    session: checkTree(({ session: { spread } }) => {
      if (spread) report(spread, 'begins a record that stands on several lines');
    }),
  }),
};
