import { type ClaudeCodeFault, END, next } from './faults.ts';
import { assistant, call, result, toNode, user, withFields, withMore } from './healthy-session.ts';

/** Calls and results without each other. */
export const TOOL_FAULTS: readonly ClaudeCodeFault[] = [
  {
    rule: 'call-unanswered',
    level: 'warning',
    what: 'a call without a result and an answer after it',
    session: withFields(5, user('Stop.')),
    line: 4,
  },
  {
    rule: 'call-interrupted',
    level: 'info',
    what: 'a call at the end',
    session: withMore(next(assistant('msg_3', call('c2')))),
    line: END,
  },
  {
    rule: 'result-uncalled',
    level: 'warning',
    what: 'a result of a call that is not there',
    session: withMore(next(user([result('c9')]))),
    line: END,
  },
  {
    rule: 'result-uncalled',
    level: 'warning',
    what: 'a result in the turn before its call, which has another behind it',
    session: withMore(
      toNode('n10', 'n7', 10, user([result('c2')])),
      toNode('n11', 'n10', 11, user('And?')),
      toNode('n12', 'n11', 12, assistant('msg_3', call('c2'))),
      toNode('n13', 'n12', 13, user([result('c2')])),
    ),
    line: END,
  },
  {
    rule: 'result-repeated',
    level: 'warning',
    what: 'a result behind its call, where the client sends the one before it',
    session: withMore(
      toNode('n10', 'n7', 10, user([result('c2')])),
      toNode('n11', 'n10', 11, assistant('msg_3', call('c2'))),
      toNode('n12', 'n11', 12, user([result('c2')])),
    ),
    line: END + 2,
  },
  {
    rule: 'result-repeated',
    level: 'warning',
    what: 'a second result of one call',
    session: withMore(next(user([result('c1')]))),
    line: END,
  },
];
