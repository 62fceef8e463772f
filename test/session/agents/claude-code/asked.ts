import {
  type Asked,
  HUMAN,
  INTERRUPTED,
  KEPT,
  MODEL,
  OTHER,
  QUEUED,
  SUMMARY,
  TALK,
  answer,
  compacted,
  failed,
  lastPrompt,
  printed,
  queued,
  say,
  talk,
} from './asked-lines.ts';
import {
  SESSION_ID,
  assistant,
  boundary,
  call,
  result,
  summary,
  text,
  thinking,
  toNode,
  user,
} from './healthy-session.ts';
import { EARLY } from './asked-early.ts';
import { ODD } from './asked-odd.ts';
import { RANDOM } from './asked-random.ts';

const EMPTIED = { type: 'last-prompt', leafUuid: null, explicit: true, sessionId: SESSION_ID };

/** What the client was asked to find out what it does, beside the corpus. */
export const ASKED: readonly Asked[] = [
  { what: 'an emptied conversation', lines: [...talk, EMPTIED], sent: [] },
  {
    what: 'an emptied conversation, and a leaf that was chosen since',
    lines: [...talk, EMPTIED, lastPrompt('n2', { explicit: true })],
    sent: TALK.slice(0, 2),
  },
  {
    what: 'an emptied conversation, and a leaf that is not there',
    lines: [...talk, EMPTIED, lastPrompt('gone')],
    sent: TALK,
  },
  {
    what: 'an emptied conversation, and an empty name since',
    lines: [...talk, EMPTIED, lastPrompt('', { explicit: true })],
    sent: [],
  },
  {
    what: 'a chosen leaf, and an empty name since',
    lines: [...talk, lastPrompt('n2', { explicit: true }), lastPrompt('', { explicit: true })],
    sent: TALK.slice(0, 2),
  },
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
  {
    what: 'results in a row beside the path',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('msg_1', call('c1'))),
      toNode('n3', 'n2', 3, assistant('msg_1', call('c2'))),
      toNode('n4', 'n3', 4, user([result('c2', 'b')])),
      toNode('n5', 'n4', 5, user([result('c1', 'a')])),
      say('n6', 'n5', 6),
      say('n7', 'n3', 7),
    ],
    sent: ['u n1', 'a c1 + c2', 'u c2: b + c1: a + n7'],
  },
  {
    what: 'a request that failed at the end',
    lines: [...talk, say('n5', 'n4', 5), toNode('n6', 'n5', 6, failed('<synthetic>'))],
    sent: [...TALK, 'u n5'],
  },
  {
    what: 'the same, on a line of another client that names a model',
    lines: [...talk, say('n5', 'n4', 5), toNode('n6', 'n5', 6, failed(MODEL))],
    sent: [...TALK, 'u n5', 'a API Error: 500'],
  },
  {
    what: 'output of a command behind a prompt',
    lines: [...talk, say('n5', 'n4', 5), toNode('n6', 'n5', 6, printed)],
    sent: [...TALK, 'u n5', 'a No response requested.', 'u a note\n'],
  },
  {
    what: 'output of a command behind an answer',
    lines: [...talk, toNode('n5', 'n4', 6, printed)],
    sent: [...TALK, 'u a note\n'],
  },
  {
    what: 'a prompt that a person typed during a turn, behind another one',
    lines: [say('n1', null, 1), queued('n2', 'n1', 2, HUMAN), answer('n3', 'n2', 3)],
    sent: [`u ${QUEUED}\n + n1`, 'a n3'],
  },
  {
    what: 'a prompt of a program during a turn, behind another one',
    lines: [say('n1', null, 1), queued('n2', 'n1', 2, {}), answer('n3', 'n2', 3)],
    sent: [`u n1 + ${QUEUED}`, 'a n3'],
  },
  {
    what: 'what was typed during a turn of an older model, between a result and a prompt',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('msg_1', call('c1'), OTHER)),
      toNode('n3', 'n2', 3, user([result('c1', 'a')])),
      say('n4', 'n3', 4),
      queued('n5', 'n4', 5, HUMAN),
      toNode('n6', 'n5', 6, assistant('msg_2', text('n6'), OTHER)),
    ],
    sent: ['u n1', 'a c1', `u c1: a + ${QUEUED} + n4`, 'a n6'],
  },
  {
    what: 'a boundary that keeps something, and one behind it that does not',
    lines: [
      ...compacted,
      toNode('b2', null, 40, boundary()),
      toNode('s2', 'b2', 41, summary),
      say('n8', 's2', 42),
      lastPrompt('n6'),
    ],
    sent: [`u ${SUMMARY} + n8`],
  },
  ...ODD,
  ...EARLY,
  ...RANDOM,
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
