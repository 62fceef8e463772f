import {
  type Asked,
  EMPTY,
  INTERRUPTED,
  KEPT,
  MISSING,
  OTHER,
  QUEUED,
  SUMMARY,
  TALK,
  answer,
  compacted,
  kept,
  lastPrompt,
  printed,
  queued,
  returned,
  say,
  talk,
  twoCalls,
} from './asked-lines.ts';
import {
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

const NOT_KNOWN = { type: 'attachment', attachment: { type: 'not_known_yet', text: 'x' } };
const calledAndAsked = [
  ...talk,
  toNode('n5', 'n4', 5, assistant('m', call('c1'))),
  toNode('n5b', 'n5', 5, user([result('c1')])),
  say('n6', 'n5b', 6),
];
const summed = [...talk, toNode('b2', null, 40, boundary()), toNode('s2', 'b2', 41, summary)];
/** By a model that takes what was typed as reminders. */
const saidOn = (parent: string) => [
  say('n10', parent, 10),
  toNode('n11', 'n10', 11, assistant('z', text('n11'), OTHER)),
];

/** Minimised from random sessions, in which coppice once went on otherwise than the client. */
export const RANDOM: readonly Asked[] = [
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
  {
    what: 'an answer without anything, and what was typed behind it',
    lines: [...talk, say('n5', 'n4', 5), toNode('n6', 'n5', 6, EMPTY), queued('n7', 'n6', 7, {})],
    sent: [...TALK, 'u n5', 'a (no content)', `u ${QUEUED}`],
  },
  {
    what: 'a command behind a result, and an attachment behind that',
    lines: [
      ...twoCalls.slice(0, 2),
      returned('n3', 'n2', 'c1'),
      toNode('n4', 'n3', 4, printed),
      toNode('n5', 'n4', 5, NOT_KNOWN),
    ],
    sent: ['u n1', 'a c1', 'u c1: a.ts + a note'],
  },
  {
    what: 'a command behind a prompt, and an attachment behind that',
    lines: [
      ...talk,
      say('n5', 'n4', 5),
      toNode('n6', 'n5', 6, printed),
      toNode('n7', 'n6', 7, NOT_KNOWN),
    ],
    sent: [...TALK, 'u n5\n + a note'],
  },
  {
    what: 'a command behind an attachment',
    lines: [
      ...talk,
      say('n5', 'n4', 5),
      toNode('n6', 'n5', 6, NOT_KNOWN),
      toNode('n7', 'n6', 7, printed),
    ],
    sent: [...TALK, 'u n5', 'a No response requested.', 'u a note\n'],
  },
  ...[
    {
      what: 'output of a command',
      lines: [...summed, toNode('x', 's2', 42, printed)],
      sent: [`u ${SUMMARY.trimEnd()}`, 'a No response requested.', 'u a note\n'],
    },
    {
      what: 'the same where it keeps a prompt',
      lines: [
        ...talk.slice(0, 3),
        toNode('b', null, 6, boundary({ preservedMessages: { anchorUuid: 's', uuids: ['n3'] } })),
        toNode('s', 'b', 7, summary),
        toNode('x', 's', 8, printed),
      ],
      sent: [`u ${SUMMARY} + n3`, 'a No response requested.', 'u a note\n'],
    },
    {
      what: 'an attachment and output of a command',
      lines: [...summed, toNode('y', 's2', 42, NOT_KNOWN), toNode('x', 'y', 43, printed)],
      sent: [`u ${SUMMARY} + a note\n`],
    },
    {
      what: 'something typed and output of a command',
      lines: [...summed, queued('y', 's2', 42, {}), toNode('x', 'y', 43, printed)],
      sent: [`u ${SUMMARY} + a note\n + ${QUEUED}`],
    },
  ].map(({ what, ...rest }) => ({ what: `a summary, and behind it ${what}`, ...rest })),
  {
    what: 'what was typed behind a result without its call, and behind a prompt',
    lines: [
      ...calledAndAsked,
      returned('n7', 'n6', 'gone'),
      queued('n8', 'n7', 8, {}),
      queued('n9', 'n8', 9, {}),
      ...saidOn('n9'),
    ],
    sent: [...TALK, 'a c1', `u c1: a.ts + n6 + ${QUEUED} + ${QUEUED} + n10`, 'a n11'],
  },
];
