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
const printed = { type: 'system', subtype: 'local_command', content: 'a note' };
const MODEL = 'claude-opus-5-5';
const failed = (model: string): JsonObject => ({
  ...assistant('e', text('API Error: 500'), model),
  isApiErrorMessage: true,
});
const HUMAN = { origin: { kind: 'human' }, humanTurn: true };
const queued = (uuid: string, parent: string, seconds: number, more: JsonObject): JsonObject => {
  const attachment = { type: 'queued_command', prompt: 'typed', commandMode: 'prompt', ...more };
  return toNode(uuid, parent, seconds, { type: 'attachment', attachment });
};
const QUEUED =
  'The user sent a new message while you were working:\ntyped\n\n' +
  'This is how Claude Code surfaces messages the user sends mid-turn — within the running turn, ' +
  'often alongside the next tool result, rather than as a separate conversation turn. ' +
  'Address the message above as you continue this turn.';
const MISSING = '[Tool result missing due to internal error]';
const returned = (uuid: string, parent: string, id: string): JsonObject =>
  toNode(uuid, parent, Number(uuid.slice(1)), user([result(id)]));
const twoCalls = [
  say('n1', null, 1),
  toNode('n2', 'n1', 2, assistant('m1', call('c1'))),
  toNode('n3', 'n2', 3, assistant('m1', call('c2'))),
  returned('n4', 'n2', 'c1'),
];
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
  {
    what: 'a call that was left open in an earlier answer of the turn, and a turn left at a call',
    lines: [
      ...twoCalls,
      toNode('n5', 'n4', 5, assistant('m2', call('c3'))),
      returned('n6', 'n5', 'c3'),
    ],
    sent: ['u n1', 'a c1 + c2', `u c2: ${MISSING} + c1: a.ts`, 'a c3', 'u c3: a.ts'],
  },
  {
    what: 'the same, and a turn that was ended',
    lines: [...twoCalls, answer('n5', 'n4', 5)],
    sent: ['u n1', 'a c1', 'u c1: a.ts', 'a n5'],
  },
  {
    what: 'the same, and a prompt behind it',
    lines: [
      ...twoCalls,
      say('n5', 'n4', 5),
      toNode('n6', 'n5', 6, assistant('m2', call('c3'))),
      returned('n7', 'n6', 'c3'),
    ],
    sent: ['u n1', 'a c1', 'u c1: a.ts + n5', 'a c3', 'u c3: a.ts'],
  },
  {
    what: 'an answer whose first line is beside the path, behind a gap',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', text('Look.'))),
      toNode('n4', 'gone', 20, assistant('m', call('c1'))),
      returned('n5', 'n4', 'c1'),
      say('n6', 'n5', 22),
    ],
    sent: ['a Look. + c1', 'u c1: a.ts + n6'],
  },
  {
    what: 'prompts around a blank one and a blank answer',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, user('')),
      toNode('n3', 'n2', 3, assistant('m', text('\n '))),
      say('n4', 'n3', 4),
    ],
    sent: ['u n1\n + n4'],
  },
  {
    what: 'a result without a call between two prompts',
    lines: [
      say('n1', null, 1),
      returned('n2', 'n1', 'c9'),
      say('n3', 'n2', 3),
      answer('n4', 'n3', 4),
    ],
    sent: ['u n1\n + n3', 'a n4'],
  },
  {
    what: 'thoughts of another model at the end, and thoughts before them',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m1', thinking)),
      toNode('n3', 'n2', 3, assistant('m1', text('n3'))),
      say('n4', 'n3', 4),
      toNode('n5', 'n4', 5, assistant('m2', thinking, OTHER)),
      say('n6', 'n5', 6),
    ],
    sent: ['u n1', 'a Hm. + n3', 'u n4\n + n6'],
  },
  {
    what: 'output of a command behind a turn that was left at a call',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', call('c1'))),
      toNode('n3', 'n2', 3, assistant('m', call('c2'))),
      returned('n4', 'n2', 'c1'),
      toNode('n5', 'n4', 5, printed),
    ],
    sent: ['u n1', 'a c1 + c2', `u c1: a.ts + c2: ${INTERRUPTED} + a note`],
  },
  {
    what: 'what hangs on something before a boundary, where an earlier one keeps something',
    lines: [
      ...compacted,
      toNode('b2', null, 40, boundary()),
      toNode('s2', 'b2', 41, summary),
      say('n8', 'n6', 60),
      answer('n9', 'n8', 61),
    ],
    sent: ['u n8', 'a n9'],
  },
  {
    what: 'a boundary that keeps something behind a line that was lost',
    lines: [...talk, toNode('b', null, 6, boundary(kept))],
    sent: ['u n3', 'a n4'],
  },
  {
    what: 'a boundary whose list lacks an entry, and one whose list is empty',
    lines: [
      ...talk,
      toNode('b', null, 6, boundary({ preservedMessages: { anchorUuid: 's', uuids: ['gone'] } })),
      toNode('s', 'b', 7, summary),
      say('n5', 's', 8),
      toNode('b2', null, 9, boundary({ preservedMessages: { anchorUuid: 's2', uuids: [] } })),
      toNode('s2', 'b2', 10, summary),
      say('n6', 'n4', 11),
    ],
    sent: [`u ${SUMMARY} + n6`],
  },
  {
    what: 'a recorded leaf behind a boundary that keeps something, and a branch that hangs on nothing',
    lines: [
      ...compacted.slice(0, -1),
      lastPrompt('n6'),
      say('n7', null, 60),
      answer('n8', 'n7', 61),
    ],
    sent: [...KEPT, 'a n6'],
  },
  {
    what: 'the same, with something recorded that others hang on',
    lines: [
      ...compacted.slice(0, -1),
      lastPrompt('n5'),
      say('n7', null, 60),
      answer('n8', 'n7', 61),
    ],
    sent: ['u n7', 'a n8'],
  },
  {
    what: 'a gap between entries of one time',
    lines: [say('n1', null, 1), answer('n2', 'n1', 2), say('n3', 'n1', 2), say('n4', 'gone', 3)],
    sent: ['u n1', 'a n2', 'u n4'],
  },
  {
    what: 'a recorded call, and what went on behind another of the same batch',
    lines: [
      say('n1', null, 1),
      toNode('n2', 'n1', 2, assistant('m', call('c1'))),
      toNode('n3', 'n2', 3, assistant('m', call('c2'))),
      returned('n4', 'n2', 'c1'),
      lastPrompt('n4'),
      returned('n5', 'n3', 'c2'),
      answer('n6', 'n5', 6),
    ],
    sent: ['u n1', 'a c1 + c2', 'u c1: a.ts + c2: a.ts', 'a n6'],
  },
  {
    what: 'a line that is written again, and what stands where it stood first',
    lines: [...talk, say('n2', 'n1', 2), say('n5', 'n4', 5)],
    sent: ['u n1\n + n2\n + n3', 'a n4', 'u n5'],
  },
  {
    what: 'a line that cannot be read as a message, and what hangs on it',
    lines: [...talk, toNode('n5', 'n4', 5, { type: 'user', message: null }), say('n6', 'n5', 60)],
    sent: [...TALK, 'u n6'],
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
