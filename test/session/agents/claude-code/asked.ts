import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import {
  assistant,
  boundary,
  call,
  result,
  SESSION_ID,
  summary,
  text,
  thinking,
  toNode,
  user,
} from './healthy-session.ts';

/** A small session, and what the real 2.1.330 sends of it: `u` and `a`, a text for each block. */
export interface Asked {
  readonly what: string;
  readonly lines: readonly JsonObject[];
  readonly sent: readonly string[];
}

const OTHER = 'claude-sonnet-4-5';
const lastPrompt = (leafUuid: string, more: JsonObject = {}): JsonObject => ({
  type: 'last-prompt',
  leafUuid,
  ...more,
  sessionId: SESSION_ID,
});
const say = (uuid: string, parent: string | null, seconds: number): JsonObject =>
  toNode(uuid, parent, seconds, user(uuid));
const answer = (uuid: string, parent: string | null, seconds: number): JsonObject =>
  toNode(uuid, parent, seconds, assistant(`msg_${uuid}`, text(uuid)));

const talk = [say('n1', null, 1), answer('n2', 'n1', 2), say('n3', 'n2', 3), answer('n4', 'n3', 4)];
const kept = {
  preservedMessages: { anchorUuid: 's', uuids: ['n3', 'n4'], allUuids: ['n3', 'n4'] },
};
const compacted = [
  ...talk,
  toNode('b', null, 6, boundary(kept)),
  toNode('s', 'b', 7, summary),
  say('n5', 's', 8),
  answer('n6', 'n5', 9),
  answer('n7', 'n5', 30),
];
const INTERRUPTED =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its " +
  'outcome is unknown. Check whether it took effect before relying on it or running it again.]';
const SUMMARY = 'This session is being continued.\n';
const KEPT = [`u ${SUMMARY} + n3`, 'a n4', 'u n5'];
const TALK = ['u n1', 'a n2', 'u n3', 'a n4'];

/** What the client was asked to find out what it does, beside the corpus. */
export const ASKED: readonly Asked[] = [
  {
    what: 'a recorded leaf, and a branch after it',
    lines: [...talk, lastPrompt('n4'), say('n5', 'n1', 20), answer('n6', 'n5', 21)],
    sent: TALK,
  },
  {
    what: 'a recorded leaf, and an orphan after it that is attached to it by its time',
    lines: [...talk, lastPrompt('n4'), say('n5', 'gone', 5), answer('n6', 'n5', 6)],
    sent: TALK,
  },
  {
    what: 'a chosen leaf, and the same',
    lines: [...talk, lastPrompt('n4', { explicit: true }), say('n5', 'gone', 5)],
    sent: TALK,
  },
  {
    what: 'a recorded leaf behind a compaction that keeps messages',
    lines: [...compacted, lastPrompt('n6')],
    sent: [...KEPT, 'a n6'],
  },
  {
    what: 'a recorded leaf before it, among what it keeps',
    lines: [...compacted, lastPrompt('n4')],
    sent: [...KEPT, 'a n7'],
  },
  {
    what: 'a recorded leaf before it, of what it does not keep',
    lines: [...compacted, lastPrompt('n2')],
    sent: [...KEPT, 'a n7'],
  },
  {
    what: 'a chosen leaf there',
    lines: [...compacted, lastPrompt('n2', { explicit: true })],
    sent: [...KEPT, 'a n7'],
  },
  {
    what: 'a line of an unknown type between two others, long before the second',
    lines: [
      ...talk,
      toNode('x', 'n4', 5, { type: 'of-tomorrow' }),
      say('n5', 'x', 30),
      answer('n6', 'n5', 31),
    ],
    sent: ['u n5', 'a n6'],
  },
  {
    what: 'progress there',
    lines: [
      ...talk,
      toNode('x', 'n4', 5, { type: 'progress', data: {} }),
      say('n5', 'x', 30),
      answer('n6', 'n5', 31),
    ],
    sent: [...TALK, 'u n5', 'a n6'],
  },
  {
    what: 'calls side by side, with results in another order',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', text('Look.'))),
      toNode('n3', 'n2', 3, assistant('m', call('c1'))),
      toNode('n4', 'n3', 4, assistant('m', call('c2'))),
      toNode('n5', 'n4', 5, assistant('m', call('c3'))),
      toNode('n6', 'n4', 6, user([result('c2')])),
      toNode('n7', 'n3', 7, user([result('c1')])),
      toNode('n8', 'n5', 8, user([result('c3')])),
      answer('n9', 'n7', 9),
    ],
    sent: ['u n1', 'a Look. + c1 + c2 + c3', 'u c2: a.ts + c1: a.ts + c3: a.ts', 'a n9'],
  },
  {
    what: 'calls side by side at the end, one of them without a result',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', call('c1'))),
      toNode('n3', 'n2', 3, assistant('m', call('c2'))),
      toNode('n4', 'n2', 4, user([result('c1')])),
    ],
    sent: ['u n1', 'a c1 + c2', `u c1: a.ts + c2: ${INTERRUPTED}`],
  },
  {
    what: 'a second result of a call',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', call('c1'))),
      toNode('n3', 'n2', 3, user([result('c1', 'first')])),
      answer('n4', 'n3', 4),
      toNode('n5', 'n4', 5, user([result('c1', 'second')])),
      answer('n6', 'n5', 6),
    ],
    sent: ['u n1', 'a c1', 'u c1: first', 'a n4', 'u (no content)', 'a n6'],
  },
  {
    what: 'a result behind the next answer',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', call('c1'))),
      say('n3', 'n2', 3),
      answer('n4', 'n3', 4),
      toNode('n5', 'n4', 5, user([result('c1', 'late')])),
      answer('n6', 'n5', 6),
    ],
    sent: [
      'u n1',
      'a c1',
      'u c1: [Tool result missing due to internal error] + n3',
      'a n4',
      'u (no content)',
      'a n6',
    ],
  },
  {
    what: 'a result without a call before anything else',
    lines: [toNode('n1', null, 1, user([result('c9')])), answer('n2', 'n1', 2)],
    sent: ['u [Orphaned tool result removed due to conversation resume]', 'a n2'],
  },
  {
    what: 'blank texts beside others',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', text('\n '))),
      toNode('n3', 'n2', 3, assistant('m', call('c1'))),
      toNode('n4', 'n3', 4, user([result('c1')])),
      toNode('n5', 'n4', 5, user('  ')),
      say('n6', 'n5', 6),
      answer('n7', 'n6', 7),
    ],
    sent: ['u n1', 'a c1', 'u c1: a.ts + n6', 'a n7'],
  },
  {
    what: 'thinking of another model, with and without a signature',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', thinking, OTHER)),
      toNode('n3', 'n2', 3, assistant('m', { type: 'thinking', thinking: 'Ah.' }, OTHER)),
      toNode('n4', 'n3', 4, assistant('m', text('Yes.'), OTHER)),
      say('n5', 'n4', 5),
      answer('n6', 'n5', 6),
    ],
    sent: ['u n1', 'a Ah. + Yes.', 'u n5', 'a n6'],
  },
];

/** Messages in the shape of `export --as context`, as they are written above. */
export function describeSent(
  messages: readonly { readonly role: string; readonly blocks: readonly object[] }[],
): readonly string[] {
  return messages.map(({ role, blocks }) => {
    const shown = blocks.map((block) => {
      const { text: words, id, toolCallId } = block as Readonly<Record<string, string | undefined>>;
      return toolCallId === undefined ? (words ?? id ?? '?') : `${toolCallId}: ${words ?? ''}`;
    });
    return `${role.slice(0, 1)} ${shown.join(' + ')}`;
  });
}
