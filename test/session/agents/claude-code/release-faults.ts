import { type ClaudeCodeFault, END, next } from './faults.ts';
import {
  HEALTHY,
  assistant,
  boundary,
  call,
  result,
  SESSION_ID,
  summary,
  text,
  thinking,
  toNode,
  toText,
  user,
  withMore,
} from './healthy-session.ts';

/** What older releases read in another way. */
export const RELEASE_FAULTS: readonly ClaudeCodeFault[] = [
  {
    rule: 'leaf-differs',
    level: 'info',
    what: 'a last line that others hang on',
    session: toText([...HEALTHY.slice(0, 7), HEALTHY[2] ?? {}]),
    line: 7,
  },
  {
    rule: 'leaf-differs',
    level: 'info',
    what: 'a leaf that a person chose, with messages behind it',
    session: withMore(next(user('Newer.')), {
      type: 'last-prompt',
      leafUuid: 'n7',
      explicit: true,
      sessionId: SESSION_ID,
    }),
    line: 7,
    also: [`${END + 1} leaf-hides`],
  },
  {
    rule: 'context-differs',
    level: 'info',
    what: 'two calls side by side',
    session: withMore(
      next(assistant('msg_3', call('c2'))),
      toNode('n11', 'n10', 9, assistant('msg_3', call('c3'))),
      toNode('n12', 'n10', 10, user([result('c2')])),
      toNode('n13', 'n11', 11, user([result('c3')])),
      toNode('n14', 'n13', 12, assistant('msg_4', text('Both.'))),
    ),
    line: END + 2,
  },
  {
    rule: 'context-differs',
    level: 'info',
    what: 'a compaction that keeps messages',
    session: withMore(
      next(
        boundary({ preservedMessages: { anchorUuid: 'n11', uuids: ['n7'], allUuids: ['n7'] } }),
        null,
      ),
      toNode('n11', 'n10', 9, summary),
    ),
    line: END,
  },
  {
    rule: 'context-differs',
    level: 'info',
    what: 'a command on a line of its own',
    session: withMore(
      next({
        type: 'system',
        subtype: 'local_command',
        content: '<command-name>/x</command-name>',
      }),
    ),
    line: END,
  },
  {
    rule: 'context-differs',
    level: 'info',
    what: 'the thinking of a model that is no longer offered',
    session: withMore(
      next(assistant('msg_3', thinking, 'claude-3-opus')),
      toNode('n11', 'n10', 9, assistant('msg_3', text('Hm.'), 'claude-3-opus')),
    ),
    line: END,
    also: [`${END} models-several`],
  },
];
