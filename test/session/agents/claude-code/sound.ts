import { image, next, worktree } from './faults.ts';
import {
  assistant,
  call,
  HEALTHY,
  result,
  SESSION_ID,
  text,
  toNode,
  user,
  withMore,
} from './healthy-session.ts';

/** What looks like a fault and is none. */
export const SOUND: readonly { readonly what: string; readonly session: string }[] = [
  {
    what: 'a worktree that is gone',
    session: withMore(worktree({ worktreePath: '/nowhere/w', originalCwd: '/nowhere' })),
  },
  {
    what: 'a worktree that was left',
    session: withMore(worktree({ worktreePath: '/', originalCwd: '/nowhere' }), worktree(null)),
  },
  { what: 'a line that stands twice', session: withMore(HEALTHY[2] ?? {}) },
  {
    what: 'results in another order than calls',
    session: withMore(
      next(assistant('msg_3', call('c2'))),
      toNode('n11', 'n10', 9, assistant('msg_3', call('c3'))),
      toNode('n12', 'n11', 10, user([result('c3')])),
      toNode('n13', 'n10', 11, user([result('c2')])),
      toNode('n14', 'n13', 12, assistant('msg_4', text('Both.'))),
    ),
  },
  { what: 'an image that the model takes', session: withMore(next(image('iVBORw0K'))) },
  {
    what: 'a file that was mentioned after it was read',
    session: withMore(next({ type: 'attachment', attachment: { type: 'already_read_file' } })),
  },
  {
    what: 'a rewind',
    session: withMore(next(user('Again.'), 'n3'), {
      type: 'last-prompt',
      leafUuid: '00000000-0000-0000-0000-000000000000',
      explicit: true,
      sessionId: SESSION_ID,
    }),
  },
];
