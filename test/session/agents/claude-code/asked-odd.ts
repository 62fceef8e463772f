import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import {
  type Asked,
  INTERRUPTED,
  MISSING,
  MODEL,
  OTHER,
  QUEUED,
  SUMMARY,
  TALK,
  answer,
  calls,
  compacted,
  gives,
  lastPrompt,
  printed,
  returned,
  say,
  talk,
  typed,
} from './asked-lines.ts';
import { assistant, boundary, call, summary, text, toNode, user } from './healthy-session.ts';

const says = (uuid: string, parent: string) =>
  toNode(uuid, parent, Number(uuid.slice(1)), assistant(`m_${uuid}`, text(uuid), OTHER));
const remark = (uuid: string, parent: string) => answer(uuid, parent, Number(uuid.slice(1)));
const more = (uuid: string, parent: string) => calls(uuid, parent, 'd1');
const beside = [
  say('n1', null, 1),
  calls('n2', 'n1', 'c1'),
  calls('n3', 'n2', 'c2'),
  gives('n4', 'n2', 'c1', 'one'),
];
const withBlocks = (...content: readonly JsonObject[]): JsonObject => {
  const message = { id: 'm', type: 'message', role: 'assistant', model: MODEL, content };
  return { type: 'assistant', message };
};
const blank = (uuid: string, parent: string | null, words = '') =>
  toNode(uuid, parent, Number(uuid.slice(1)), user(words));
const bare = toNode('b2', null, 40, boundary());

/** Calls, results and blank prompts of which another is missing, and sessions without a message. */
export const ODD: readonly Asked[] = [
  {
    what: 'a prompt behind a summary that keeps a call and a result of nothing',
    lines: [
      say('n1', null, 1),
      calls('n2', 'n1', 'c1'),
      calls('n3', 'n2', 'c2'),
      gives('n4', 'n2', 'c1', 'one'),
      toNode(
        'b',
        null,
        6,
        boundary({ preservedMessages: { anchorUuid: 's', uuids: ['n3', 'n4'] } }),
      ),
      toNode('s', 'b', 7, summary),
      say('n8', 's', 8),
      answer('n9', 'n8', 9),
    ],
    sent: [`u ${SUMMARY} + n8`, 'a n9'],
  },
  {
    what: 'prompts around an open call and a result of nothing',
    lines: [
      ...talk,
      say('n5', 'n4', 5),
      calls('n6', 'n5', 'c1'),
      returned('n7', 'n6', 'c9'),
      say('n8', 'n7', 8),
      answer('n9', 'n8', 9),
    ],
    sent: [...TALK, 'u n5\n + n8', 'a n9'],
  },
  {
    what: 'what was typed behind one of two results, and no other one',
    lines: [
      say('n1', null, 1),
      calls('n2', 'n1', 'c1', OTHER),
      calls('n3', 'n2', 'c2', OTHER),
      gives('n4', 'n2', 'c1', 'one'),
      typed('n5', 'n4'),
    ],
    sent: ['u n1', 'a c1 + c2', `u c1: one + ${QUEUED} + c2: ${INTERRUPTED}`],
  },
  {
    what: 'what was typed between two results',
    lines: [
      say('n1', null, 1),
      calls('n2', 'n1', 'c1', OTHER),
      calls('n3', 'n2', 'c2', OTHER),
      gives('n4', 'n2', 'c1', 'one'),
      typed('n5', 'n4'),
      gives('n6', 'n5', 'c2', 'two'),
      says('n7', 'n6'),
    ],
    sent: ['u n1', 'a c1 + c2', `u c1: one + ${QUEUED} + c2: two`, 'a n7'],
  },
  {
    what: 'what was typed behind a second result of a call',
    lines: [
      say('n1', null, 1),
      calls('n2', 'n1', 'c1', OTHER),
      gives('n3', 'n2', 'c1', 'one'),
      gives('n4', 'n3', 'c1', 'two'),
      typed('n5', 'n4'),
      says('n6', 'n5'),
    ],
    sent: ['u n1', 'a c1', 'u c1: one', 'a n6'],
  },
  {
    what: 'what was typed behind a result of nothing',
    lines: [
      say('n1', null, 1),
      says('n2', 'n1'),
      returned('n3', 'n2', 'c9'),
      typed('n4', 'n3'),
      say('n5', 'n4', 5),
      says('n6', 'n5'),
    ],
    sent: ['u n1', 'a n2', 'u n5', 'a n6'],
  },
  {
    what: 'what was typed before it',
    lines: [
      say('n1', null, 1),
      says('n2', 'n1'),
      typed('n3', 'n2'),
      returned('n4', 'n3', 'c9'),
      says('n5', 'n4'),
    ],
    sent: ['u n1', 'a n2', `u ${QUEUED}`, 'a n5'],
  },
  {
    what: 'what was typed behind a result that comes late',
    lines: [
      say('n1', null, 1),
      calls('n2', 'n1', 'c1', OTHER),
      say('n3', 'n2', 3),
      says('n4', 'n3'),
      gives('n5', 'n4', 'c1', 'late'),
      typed('n6', 'n5'),
      says('n7', 'n6'),
    ],
    sent: ['u n1', 'a c1', `u c1: ${MISSING} + n3`, 'a n4', 'u (no content)', 'a n7'],
  },
  ...[
    { what: 'an empty prompt behind it', lines: [returned('n1', null, 'c9'), blank('n2', 'n1')] },
    { what: 'a blank one', lines: [returned('n1', null, 'c9'), blank('n2', 'n1', '  ')] },
    { what: 'an empty one before it', lines: [blank('n1', null), returned('n2', 'n1', 'c9')] },
  ].map(({ what, lines }) => ({
    what: `a result of nothing before anything else, and ${what}`,
    lines: [...lines, answer('n3', 'n2', 3)],
    sent: ['u (no content)', 'a n3'],
  })),
  {
    what: 'a boundary without a summary, behind one that kept messages',
    lines: [...compacted, bare, lastPrompt('n4')],
    sent: [],
  },
  {
    what: 'the same, and output of a command behind it',
    lines: [...compacted, bare, toNode('x', 'b2', 41, printed), lastPrompt('n6')],
    sent: ['u a note\n'],
  },
  { what: 'a boundary alone', lines: [bare], sent: [] },
  {
    what: 'a parent that is not text, soon and long after what came before',
    lines: [
      say('n1', null, 1),
      { ...answer('n2', 'n1', 2), parentUuid: 3 },
      { ...say('n3', 'n2', 100), parentUuid: {} },
      { ...answer('n4', 'n3', 101), parentUuid: true },
    ],
    sent: ['u n3', 'a n4'],
  },
  {
    what: 'blocks without a type, or without text',
    lines: [
      toNode('n1', null, 1, user([{ text: 'a' }, text('n1'), 'b', { type: 3, text: 'c' }])),
      toNode('n2', 'n1', 2, assistant('m', { type: 'text', text: null })),
      toNode('n3', 'n2', 3, assistant('m', text('n3'))),
      toNode('n4', 'n3', 4, user([{ type: 'text' }, text('n4')])),
    ],
    sent: ['u n1', 'a n3', 'u n4'],
  },
  {
    what: 'commands alone, the newer one first',
    lines: [toNode('x', null, 5, printed), toNode('y', null, 2, { ...printed, content: 'second' })],
    sent: ['u a note\n'],
  },
  ...[
    {
      what: 'an open call beside an answered one, and a call behind text',
      lines: [...beside, remark('n5', 'n4'), more('n6', 'n5')],
      sent: ['u n1', 'a c1', 'u c1: one', 'a n5', 'a d1', `u d1: ${INTERRUPTED}`],
    },
    {
      what: 'the same without the text',
      lines: [...beside, more('n5', 'n4')],
      sent: ['u n1', 'a c1 + c2', `u c2: ${MISSING} + c1: one`, 'a d1', `u d1: ${INTERRUPTED}`],
    },
    {
      what: 'the same, and output of a command instead of the text',
      lines: [...beside, toNode('n5', 'n4', 5, printed), more('n6', 'n5')],
      sent: [
        'u n1',
        'a c1 + c2',
        `u c2: ${MISSING} + c1: one + a note`,
        'a d1',
        `u d1: ${INTERRUPTED}`,
      ],
    },
    {
      what: 'the same, and text, and a result of nothing',
      lines: [...beside, remark('n5', 'n4'), returned('n6', 'n5', 'c9')],
      sent: ['u n1', 'a c1 + c2', `u c2: ${MISSING} + c1: one`, 'a n5', 'u (no content)'],
    },
    {
      what: 'an open call, and another answer of a call',
      lines: [say('n1', null, 1), calls('n2', 'n1', 'c1'), more('n3', 'n2')],
      sent: ['u n1', 'a d1', `u d1: ${INTERRUPTED}`],
    },
    {
      what: 'something typed between the two',
      lines: [say('n1', null, 1), calls('n2', 'n1', 'c1'), typed('n3', 'n2'), more('n4', 'n3')],
      sent: ['u n1', 'a c1', `u c1: ${MISSING} + ${QUEUED}`, 'a d1', `u d1: ${INTERRUPTED}`],
    },
    {
      what: 'text before that',
      lines: [...beside, remark('n5', 'n4'), typed('n6', 'n5'), more('n7', 'n6')],
      sent: ['u n1', 'a c1', 'u c1: one', 'a n5', `u ${QUEUED}`, 'a d1', `u d1: ${INTERRUPTED}`],
    },
    {
      what: 'an open call on a line with text',
      lines: [
        say('n1', null, 1),
        toNode('n2', 'n1', 2, withBlocks(text('Look.'), call('c1'))),
        say('n3', 'n2', 3),
        answer('n4', 'n3', 4),
      ],
      sent: ['u n1\n + n3', 'a n4'],
    },
    {
      what: 'an open call on a line with an answered one',
      lines: [
        say('n1', null, 1),
        toNode('n2', 'n1', 2, withBlocks(call('c1'), call('c2'))),
        gives('n3', 'n2', 'c1', 'one'),
        say('n4', 'n3', 4),
        answer('n5', 'n4', 5),
      ],
      sent: ['u n1', 'a c1 + c2', `u c2: ${MISSING} + c1: one + n4`, 'a n5'],
    },
    {
      what: 'an open call, output of a command and something typed behind it',
      lines: [
        say('n1', null, 1),
        calls('n2', 'n1', 'c1'),
        toNode('n3', 'n2', 3, printed),
        typed('n4', 'n3'),
      ],
      sent: ['u n1', 'a c1', `u c1: ${INTERRUPTED} + a note + ${QUEUED}`],
    },
  ].map(({ what, ...rest }) => ({ what: `calls of a turn: ${what}`, ...rest })),
];
