import type { Rule } from '../../../dialect/rule.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { readProjection } from '../places/database/projection.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** A rollout that was rewritten behind the back of the client. */
export const projectionAhead: Rule = {
  id: 'rollout-projection-ahead',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of which Codex has read more than there is, or another text',
  help:
    'Codex shows the turns of a thread from a database, and remembers up to which byte of the file that goes. ' +
    'A file that was rewritten since is shown as it was, and if it is now shorter, new turns never appear. ' +
    'With no client running, remove `thread_history_1.sqlite` and what stands beside it ' +
    'with `-wal` and `-shm`: Codex makes it anew as it opens threads.',
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
