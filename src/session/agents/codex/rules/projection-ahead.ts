import type { Rule } from '../../../dialect/rule.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { readProjection } from '../places/database/projection.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** A rollout that was rewritten behind the back of the client. */
export const projectionAhead: Rule = {
  id: 'rollout-projection-ahead',
  level: 'warning',
  fixable: false,
  summary: 'a rollout that has changed, or become shorter, since Codex read it into its database',
  help:
    'Codex shows the turns of a thread from a database, which records up to which byte the file ' +
    'was read. If the file was rewritten since, Codex shows its old state, and if it is now ' +
    'shorter, new turns never appear. While Codex does not run, remove `thread_history_1.sqlite` and ' +
    'the files beside it that end in `-wal` and `-shm`: Codex makes them again when it opens ' +
    'threads.',
  check: (report, { path }) => ({
    async look(files) {
      const offset = await readProjection(path, files);
      if (typeof offset !== 'number') return;
      const found = await files.findLine(path, offset);
      if (found !== 'past' && found !== 'inside') return;
      const where = found === 'past' ? 'it is shorter' : 'no line begins there';
      report(START_OF_FILE, `Codex has read it up to byte ${formatNumber(offset)}, and ${where}`);
    },
  }),
};
