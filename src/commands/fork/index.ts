import { ExitCode } from '../../errors.ts';
import { type Context, defineCommand } from '../command.ts';
import { forkOptions } from './options.ts';
import { type ForkCommandRequest, toForkRequest } from './request.ts';
import { forkInPlace } from './in-place.ts';
import { listPoints } from './points.ts';
import { loadHooks } from '../shared/hooks.ts';
import { forkSessions } from './new-sessions.ts';

export const fork = defineCommand({
  name: 'fork',
  details:
    'Copies one path of a session, from its root to the current leaf or another entry, into a new ' +
    'session file, and prints where that is. The source is only read; old versions are migrated on the way. The ' +
    'file is written where the agent would put it, never over another. Needs no --apply; --dry-run ' +
    'previews.\n\nWith --in-place, makes no new session: moves the current leaf inside the file, ' +
    'names the session, or sets labels. Previews unless --apply.',
  options: forkOptions,
  examples: [
    { command: 'pi --session "$(coppice fork 0199a3f1)"', says: 'continue in a copy' },
    { command: 'coppice fork 0199a3f1 --at before-refactor', says: 'from a labeled entry' },
    { command: 'coppice fork 0199a3f1 --points', says: 'list user messages' },
    { command: 'coppice fork 0199a3f1 --before 9c41d2aa --json', says: 'reword a question' },
    {
      command: 'coppice fork 0199a3f1 --at before-refactor --summarize',
      says: 'with a summary of the rest',
    },
    {
      command: 'coppice fork 0199a3f1 --in-place --at 9c41d2aa --apply',
      says: 'go back inside the session',
    },
    {
      command: 'coppice fork --project ~/old --whole --cwd ~/new',
      says: 'every session of a moved project',
    },
  ],
  withoutTargets: 'No default: name targets or a selector.',
  exitCodes: {
    [ExitCode.unusable]: 'nothing was forked: usage error, unknown entry, or the target exists',
    [ExitCode.partial]:
      'some sessions could not be forked, or changed in place, or a summary failed',
  },
  getSchema: ({ points, 'in-place': inPlace }) => {
    if (points) return 'fork-points';
    return inPlace ? 'fork-in-place' : 'fork';
  },
  fieldNeeds: ({ points }) =>
    points ? {} : { text: ['before'], left: ['summarize', 'hook'], targetId: ['at', 'before'] },
  toRequest: toForkRequest,
  async run({ task, ...request }: ForkCommandRequest, context: Context) {
    const loaded = await loadHooks(request.hook, context);
    const hooks = request.writes ? loaded : {};
    switch (task.kind) {
      case 'points':
        return listPoints({ ...request, task }, context);
      case 'in-place':
        return forkInPlace({ ...request, task }, hooks, context);
      case 'new':
        return forkSessions({ ...request, task }, hooks, context);
    }
  },
});
