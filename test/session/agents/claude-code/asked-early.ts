import {
  type Asked,
  HUMAN,
  QUEUED,
  TALK,
  answer,
  calls,
  gives,
  printed,
  queued,
  say,
  talk,
  typed,
} from './asked-lines.ts';
import { assistant, call, result, text, toNode, user } from './healthy-session.ts';

const early = gives('n2', 'n1', 'c1', 'early');
const begun = [say('n1', null, 1), early];
const called = [
  ...begun,
  calls('n3', 'n2', 'c1'),
  gives('n4', 'n3', 'c1', 'real'),
  answer('n5', 'n4', 5),
];
const SENT = ['u n1', 'a c1', 'u c1: early', 'a n5'];

/** Results that stand before their calls. */
export const EARLY: readonly Asked[] = [
  { what: 'and one behind it', lines: called, sent: SENT },
  {
    what: 'and none behind it',
    lines: [...called.slice(0, 3), say('n4', 'n3', 4), answer('n5', 'n4', 5)],
    sent: ['u n1', 'a c1', 'u c1: early + n4', 'a n5'],
  },
  { what: 'and nothing else', lines: called.slice(0, 3), sent: SENT.slice(0, 3) },
  {
    what: 'behind an empty prompt',
    lines: [toNode('n1', null, 1, user('')), ...called.slice(1)],
    sent: ['u ', ...SENT.slice(1)],
  },
  {
    what: 'beside text',
    lines: called.with(1, toNode('n2', 'n1', 2, user([text('beside'), result('c1', 'early')]))),
    sent: ['u n1', 'a c1', 'u c1: early + beside', 'a n5'],
  },
  {
    what: 'beside another result on its line',
    lines: called.with(1, toNode('n2', 'n1', 2, user([result('c9'), result('c1', 'early')]))),
    sent: ['u n1', 'a c1', 'u c1: real', 'a n5'],
  },
  {
    what: 'before another prompt',
    lines: [
      ...begun,
      say('n3', 'n2', 3),
      calls('n4', 'n3', 'c1'),
      gives('n5', 'n4', 'c1', 'real'),
      answer('n6', 'n5', 6),
    ],
    sent: ['u n1\n + n3', 'a c1', 'u c1: real', 'a n6'],
  },
  {
    what: 'before output of a command',
    lines: [
      ...begun,
      toNode('n3', 'n2', 3, printed),
      calls('n4', 'n3', 'c1'),
      gives('n5', 'n4', 'c1', 'real'),
      answer('n6', 'n5', 6),
    ],
    sent: ['u n1\n + a note', 'a c1', 'u c1: real', 'a n6'],
  },
  {
    what: 'before another call, what was typed, and more',
    lines: [
      ...begun,
      typed('n3', 'n2'),
      calls('n4', 'n3', 'd1'),
      gives('n5', 'n4', 'd1', 'one'),
      calls('n6', 'n5', 'c1'),
      gives('n7', 'n6', 'c1', 'real'),
      answer('n8', 'n7', 8),
    ],
    sent: ['u n1', 'a d1', 'u d1: one', 'a c1', `u c1: early + ${QUEUED}`, 'a n8'],
  },
  {
    what: 'behind what was typed',
    lines: [
      say('n1', null, 1),
      typed('n2', 'n1'),
      gives('n3', 'n2', 'c1', 'early'),
      calls('n4', 'n3', 'c1'),
      answer('n5', 'n4', 5),
    ],
    sent: [`u n1 + ${QUEUED}`, 'a c1', 'u c1: early', 'a n5'],
  },
  {
    what: 'and one between the calls of its answer',
    lines: [
      ...called.slice(0, 4),
      calls('n5', 'n4', 'c2'),
      gives('n6', 'n5', 'c2', 'two'),
      answer('n7', 'n6', 7),
    ],
    sent: ['u n1', 'a c1 + c2', 'u c1: real + c2: two', 'a n7'],
  },
  {
    what: 'with what a person typed behind it, and calls side by side',
    lines: [
      ...begun,
      queued('n3', 'n2', 3, HUMAN),
      calls('n4', 'n3', 'c1'),
      calls('n5', 'n4', 'c2'),
      gives('n6', 'n5', 'c2', 'two'),
      answer('n7', 'n6', 7),
    ],
    sent: ['u n1', 'a c1 + c2', `u c1: early + c2: two + ${QUEUED}`, 'a n7'],
  },
  {
    what: 'of a call that is there again',
    lines: [
      say('n1', null, 1),
      calls('n2', 'n1', 'c1'),
      gives('n3', 'n2', 'c1', 'one'),
      toNode('n4', 'n3', 4, assistant('z', call('c1'))),
      gives('n5', 'n4', 'c1', 'two'),
      answer('n6', 'n5', 6),
    ],
    sent: ['u n1', 'a c1', 'u c1: one', 'a [Tool use interrupted]', 'u (no content)', 'a n6'],
  },
  {
    what: 'in the turn before it',
    lines: [
      ...talk,
      gives('n5', 'n4', 'c1', 'early'),
      say('n6', 'n5', 6),
      calls('n7', 'n6', 'c1'),
      gives('n8', 'n7', 'c1', 'real'),
      answer('n9', 'n8', 9),
    ],
    sent: [...TALK, 'u n6', 'a c1', 'u c1: real', 'a n9'],
  },
].map(({ what, ...rest }) => ({ what: `a result before its call: ${what}`, ...rest }));
