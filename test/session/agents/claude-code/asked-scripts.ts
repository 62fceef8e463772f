import {
  INTERRUPTED,
  type Asked,
  HUMAN,
  MISSING,
  OTHER,
  QUEUED,
  answer,
  queued,
  say,
} from './asked-lines.ts';
import { assistant, call, result, text, thinking, toNode, user } from './healthy-session.ts';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';

/**
 * A session in a row: `p` a prompt, `m` one of the client, `w` a blank one, `s` output of a command, `q`
 * what was typed during a turn and `qh` what a person typed; lines of an answer by its id, `a:m1` text,
 * `b:m1` a blank, `t:m1` a thought, `T:m1` one of another model, `e:m1` nothing and `c:m1:c1` a call; `A` an answer of its own; `r:c1` a
 * result, `rt:c1` one with text. `O` first: by an older model.
 */
function toLines(script: string): readonly JsonObject[] {
  const isOld = script.startsWith('O ');
  const steps = (isOld ? script.slice(2) : script).split(' ');
  return steps.map((step, index) => {
    const at = index + 1;
    const name = `n${at}`;
    const parent = index === 0 ? null : `n${index}`;
    const [kind = '', id = '', more = name] = step.split(':');
    const node = (line: JsonObject): JsonObject => toNode(name, parent, at, line);
    const says = (block: JsonObject): JsonObject =>
      node(assistant(id, block, isOld ? OTHER : undefined));
    const ways: Readonly<Record<string, () => JsonObject>> = {
      p: () => say(name, parent, at),
      m: () => node(user([text(name)], { isMeta: true })),
      w: () => node(user('  ')),
      s: () => node({ type: 'system', subtype: 'local_command', content: name, level: 'info' }),
      q: () => queued(name, parent ?? '', at, {}),
      qh: () => queued(name, parent ?? '', at, HUMAN),
      A: () => answer(name, parent, at),
      a: () => says(text(name)),
      b: () => says(text('  ')),
      t: () => says({ ...thinking, thinking: name }),
      T: () => node(assistant(id, { ...thinking, thinking: name }, OTHER)),
      e: () => node({ ...assistant(id, text('')), message: { ...EMPTY_MESSAGE, id } }),
      c: () => says(call(more)),
      r: () => node(user([result(id, more)])),
      rt: () => node(user([result(id, name), text(`t${name}`)])),
    };
    return ways[kind]?.() ?? {};
  });
}

const EMPTY_MESSAGE = { type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [] };

/** Lines of an answer that are apart, results before their calls, and what stands between. */
const SCRIPTS: readonly (readonly [script: string, sent: string])[] = [
  ['p c:m1:c1 r:c1 p a:m1', 'u n1 | a n5 + c1 | u c1: n3 + n4'],
  ['p c:m1:c1 r:c1 p c:m1:c2 r:c2 A', 'u n1 | a c1 + c2 | u c1: n3 + c2: n6 + n4 | a n7'],
  ['p r:c1 c:m1:c1 p a:m1 A', 'u n1 | a c1 | u c1: MISSING + n4 | a n5 | a n6'],
  ['p c:m1:c1 r:c1 p t:m1', 'u n1 | a n5 + c1 | u c1: n3 + n4'],
  ['p a:m1 p t:m1 p A', 'u n1 | a n2 | u n3 | a n4 | u n5 | a n6'],
  ['p a:m1 p a:m1', 'u n1 | a n2 | u n3 | a n4'],
  ['p a:m1 qh a:m1 p A', 'u n1 | a n2 + n4 | u QUEUED\n + n5 | a n6'],
  ['p c:m1:c1 r:c1 q c:m1:c2 r:c2 A', 'u n1 | a c1 + c2 | u c1: n3 + c2: n6 + QUEUED | a n7'],
  ['p c:m1:c1 r:c1 qh c:m1:c2 r:c2 A', 'u n1 | a c1 + c2 | u c1: n3 + c2: n6 + QUEUED | a n7'],
  ['p a:m1 w a:m1 p A', 'u n1 | a n2 | u    | a n4 | u n5 | a n6'],
  ['p c:m1:c1 r:c1 w p a:m1 p A', 'u n1 | a n6 + c1 | u c1: n3 + n5\n + n7 | a n8'],
  ['p c:m1:c1 rt:c1 a:m1 p A', 'u n1 | a n4 + c1 | u c1: n3 + tn3\n + n5 | a n6'],
  ['p c:m1:c1 r:c1 m a:m1 p A', 'u n1 | a n5 + c1 | u c1: n3 + n4\n + n6 | a n7'],
  ['p c:m1:c1 r:c1 p p a:m1 A', 'u n1 | a n6 + c1 | u c1: n3 + n4\n + n5 | a n7'],
  ['p c:m1:c1 p a:m1 A', 'u n1\n + n3 | a n4 | a n5'],
  ['p c:m1:c1 p r:c1 a:m1 A', 'u n1 | a n5 + c1 | u c1: n4 + n3 | a n6'],
  ['p c:m1:c1 r:c1 b:m2 p a:m1 A', 'u n1 | a n6 + c1 | u c1: n3 + n5 | a n7'],
  ['p c:m1:c1 r:c1 p t:m2 a:m1 A', 'u n1 | a n6 + c1 | u c1: n3 + n4 | a n7'],
  ['p t:m1 p c:m1:c1 r:c1 A', 'u n1 | a n2 | u n3 | a c1 | u c1: n5 | a n6'],
  ['p t:m1 qh c:m1:c1 r:c1 A', 'u n1 | a n2 + c1 | u c1: n5 + QUEUED | a n6'],
  ['p c:m1:c1 r:c1 q p a:m1 A', 'u n1 | a n6 + c1 | u c1: n3 + n5 + QUEUED | a n7'],
  ['p c:m1:c1 r:c1 p q a:m1 A', 'u n1 | a n6 + c1 | u c1: n3 + n4 + QUEUED | a n7'],
  ['p r:c1 c:m1:c1 p a:m1', 'u n1 | a c1 | u c1: MISSING + n4 | a n5'],
  ['p c:m1:c1 p a:m1 r:c1 A', 'u n1 | a c1 | u c1: MISSING + n3 | a n4 | u (no content) | a n6'],
  [
    'p r:c1 c:m1:c1 r:c1:real p c:m1:c2 r:c2 A',
    'u n1 | a c1 + c2 | u c1: real + c2: n7 + n5 | a n8',
  ],
  ['p r:c1 c:m1:c1 p c:m1:c2 A', 'u n1 | a c1 | u c1: MISSING + n4 | a n6'],
  ['p r:c1 qh c:m1:c1 p a:m1 A', 'u n1\n + QUEUED | a c1 | u c1: MISSING + n5 | a n6 | a n7'],
  [
    'p r:c1 c:m1:c1 c:m2:c2 r:c2 p a:m1 A',
    'u n1 | a n7 + c1 | u c1: MISSING | a c2 | u c2: n5 + n6 | a n8',
  ],
  ['p r:c1 c:m1:c1 a:m1 p A', 'u n1 | a n4 + c1 | u c1: n2 + n5 | a n6'],
  ['p a:m1 p qh a:m1 A', 'u n1 | a n2 | u QUEUED\n + n3 | a n5 | a n6'],
  ['p a:m1 qh qh a:m1 A', 'u n1 | a n2 + n5 | u QUEUED\n + QUEUED | a n6'],
  ['p a:m1 a:m2 qh a:m1 A', 'u n1 | a n2 | a n3 | u QUEUED | a n5 | a n6'],
  ['p b:m1 qh a:m1 A', 'u n1 | a n4 | u QUEUED | a n5'],
  ['p t:m1 qh a:m2 A', 'u QUEUED\n + n1 | a n4 | a n5'],
  ['p t:m1 c:m1:c1 p a:m1 A', 'u n1 | a n2 | u n4 | a n5 | a n6'],
  ['p t:m1 p b:m1 A', 'u n1\n + n3 | a n5'],
  ['p t:m1 p t:m1 p a:m1 A', 'u n1 | a n2 | u n3 | a n4 | u n5 | a n6 | a n7'],
  ['p b:m1 p a:m1 p b:m1 A', 'u n1 | a    | u n3 | a n4 | u n5 | a    | a n7'],
  ['p e:m1 a:m1 p A', 'u n1 | a n3 | u n4 | a n5'],
  ['p c:m1:c1 r:c1 p c:m1:c2', 'u n1 | a c1 + c2 | u c1: n3 + c2: INTERRUPTED + n4'],
  [
    'p c:m1:c1 r:c1 c:m2:c2 r:c2 p a:m1 A',
    'u n1 | a n7 + c1 | u c1: n3 | a c2 | u c2: n5 + n6 | a n8',
  ],
  [
    'p c:m1:c1 r:c1 p c:m2:c2 r:c2 p a:m1 A',
    'u n1 | a n8 + c1 | u c1: n3 + n4 | a c2 | u c2: n6 + n7 | a n9',
  ],
  ['p c:m1:c1 r:c1 A r:c9 p a:m1 A', 'u n1 | a n7 + c1 | u c1: n3 | a n4 | u n6 | a n8'],
  [
    'p c:m1:c1 r:c1 p c:m2:c1 r:c1 A',
    'u n1 | a c1 | u c1: n3 + n4 | a [Tool use interrupted] | u (no content) | a n7',
  ],
  [
    'p c:m1:c1 r:c1 s p q a:m1 s A',
    'u n1 | a n7 + c1 | u c1: n3 + n4\n + n5\n + n8 + QUEUED | a n9',
  ],
  ['p r:c1 c:m1:c1 w a:m1 p A', 'u n1 | a c1 | u c1: MISSING | a n5 | u n6 | a n7'],
  ['p r:c1 c:m1:c1 b:m2 a:m1 p A', 'u n1 | a n5 + c1 | u c1: MISSING + n6 | a n7'],
  [
    'p r:c1 c:m1:c1 e:m2 a:m1 p A',
    'u n1 | a n5 + c1 | u c1: MISSING | a (no content) | u n6 | a n7',
  ],
  [
    'p r:c1 c:m1:c2 r:c2 A c:m1:c1 p A',
    'u n1 | a c2 + c1 | u c1: MISSING + c2: n4 | a n5 | u n7 | a n8',
  ],
  [
    'p A r:c1 a:m1 a:m2 c:m1:c1 p A',
    'u n1 | a n2 | u (no content) | a n4 + c1 | u c1: MISSING | a n5 | u n7 | a n8',
  ],
  ['p A r:c1 c:m1:c1 r:c9 a:m1 p A', 'u n1 | a n2 | a n6 + c1 | u c1: n3 + n7 | a n8'],
  [
    'p A r:c1 r:c2 c:m1:c1 c:m1:c2 p a:m1 A',
    'u n1 | a n2 | u (no content) | a c1 + c2 | u c1: MISSING + c2: MISSING + n7 | a n8 | a n9',
  ],
  ['p p c:m1:c1 qh p A', 'u QUEUED\n + n1\n + n2\n + n5 | a n6'],
  ['p A p c:m1:c1 q p A', 'u n1 | a n2 | u n3\n + n6 + QUEUED | a n7'],
  ['p b:m1 qh p a:m1 A', 'u n1 | a    | u QUEUED\n + n4 | a n5 | a n6'],
  ['p p c:m1:c1 qh c:m1:c2 r:c2 A', 'u n1\n + n2 | a c2 | u c2: n6 + QUEUED | a n7'],
  [
    'p c:m1:c1 r:c1 p c:m1:c2 c:m2:c3 r:c3 a:m1',
    'u n1 | a n8 + c1 | u c1: n3 + n4 | a c3 | u c3: n7',
  ],
  [
    'p c:m1:c1 r:c1 c:m2:c2 r:c2 c:m1:c3',
    'u n1 | a c1 + c3 | u c3: MISSING + c1: n3 | a c2 | u c2: n5',
  ],
  ['p c:m1:c1 r:c1 p a:m2 c:m1:c3', 'u n1 | a c1 | u c1: n3 + n4 | a n5'],
  ['p c:m1:c1 r:c1 p c:m1:c3 t:m2', 'u n1 | a c1 + c3 | u c1: n3 + c3: INTERRUPTED + n4'],
  ['p c:m1:c1 r:c1 p c:m1:c3 t:m1', 'u n1 | a n6 + c1 + c3 | u c1: n3 + c3: INTERRUPTED + n4'],
  ['p c:m1:c1 r:c1 qh c:m1:c3', 'u n1 | a c1 + c3 | u c1: n3 + c3: INTERRUPTED + QUEUED'],
  ['p c:m1:c1 qh c:m1:c3 r:c3', 'u n1 | a c1 + c3 | u c3: n5 + c1: INTERRUPTED + QUEUED'],
  ['p c:m1:c1 r:c1 p a:m1 s', 'u n1 | a n5 + c1 | u c1: n3 + n4 + n6\n'],
  [
    'O p c:m1:c1 r:c1 q c:m1:c2 r:c2 p A:m3',
    'u n1 | a c1 + c2 | u c1: n3 + c2: n6 + n7 + QUEUED | a n8',
  ],
  ['O p a:m1 q c:m1:c2 r:c2 a:m3', 'u n1 | a n2 + c2 | u c2: n5 + QUEUED | a n6'],
  ['O p r:c1 c:m1:c1 q c:m1:c2 r:c2 a:m3', 'u n1 | a c1 + c2 | u c1: n2 + QUEUED + c2: n6 | a n7'],
  [
    'O p c:m1:c1 r:c1 q p c:m1:c2 r:c2 a:m3',
    'u n1 | a c1 + c2 | u c1: n3 + QUEUED + c2: n7 + n5 | a n8',
  ],
  ['p c:m1:c1 r:c1 w p A c:m1:c2', 'u n1 | a c1 | u c1: n3 + n5 | a n6'],
  ['p w c:m1:c1 r:c1 A', 'u n1\n | a c1 | u c1: n4 | a n5'],
  ['p r:c1 c:m1:c1 w a:m1 w p A', 'u n1 | a c1 | u c1: MISSING | a n5 | u n7 | a n8'],
  ['p c:m1:c1 r:c1 p a:m1 q', 'u n1 | a n5 + c1 | u c1: n3 + n4 + QUEUED'],
  [
    'p c:m1:c1 r:c1 p c:m1:c2 r:c2 s',
    'u n1 | a c1 + c2 | u c1: n3 + c2: n6 + n4 | a No response requested. | u n7\n',
  ],
  ['p c:m1:c1 r:c1 s a:m1 s', 'u n1 | a n5 + c1 | u c1: n3 + n4 + n6\n'],
  ['p c:m1:c1 r:c1 s c:m1:c2', 'u n1 | a c1 + c2 | u c1: n3 + c2: INTERRUPTED + n4'],
  [
    'p c:m1:c1 r:c1 p c:m1:c2 r:c2 c:m1:c3',
    'u n1 | a c1 + c2 + c3 | u c1: n3 + c2: n6 + c3: INTERRUPTED + n4',
  ],
  [
    'p c:m1:c1 r:c1 p c:m2:c2 r:c2 c:m1:c3',
    'u n1 | a c1 + c3 | u c3: MISSING + c1: n3 + n4 | a c2 | u c2: n6',
  ],
  ['p c:m1:c1 p c:m2:c2 r:c2 c:m1:c3', 'u n1\n + n3 | a c2 | u c2: n5 | a c3 | u c3: INTERRUPTED'],
  ['p c:m1:c1 p r:c1 c:m1:c3', 'u n1 | a c1 + c3 | u c1: n4 + c3: INTERRUPTED + n3'],
  [
    'O p c:m1:c1 r:c1:one c:m1:c2 r:c1:two r:c2 a:m3',
    'u n1 | a c1 + c2 | u c1: one + c2: n6 | a n7',
  ],
  [
    'O p r:c2 q r:c1 q c:m1:c1 r:c3 c:m1:c2 c:m1:c3 a:m3',
    'u n1 | a c1 + c2 + c3 | u c3: n7 + c2: n2 + QUEUED + c1: n4 + QUEUED | a n10',
  ],
  ['p c:m1:c1 rt:c1 c:m1:c2 r:c2 p A', 'u n1 | a c1 + c2 | u c1: n3 + c2: n5 + tn3\n + n6 | a n7'],
  ['p c:m1:c1 r:c1 p a:m1 s p', 'u n1 | a n5 + c1 | u c1: n3 + n4\n + n6\n + n7'],
  [
    'p c:m1:c1 r:c1 p a:m1 p s',
    'u n1 | a n5 + c1 | u c1: n3 + n4\n + n6 | a No response requested. | u n7\n',
  ],
  ['p c:m1:c1 r:c1 q a:m1', 'u n1 | a n5 + c1 | u c1: n3 + QUEUED'],
  ['p a:m1 qh a:m1 s', 'u n1 | a n2 + n4 | u QUEUED\n + n5\n'],
  [
    'O p r:c1 c:m1:c1 r:c2 q r:c3 c:m1:c2 c:m1:c3 a:m3',
    'u n1 | a c1 + c2 + c3 | u c1: n2 + c2: n4 + QUEUED + c3: n6 | a n9',
  ],
  [
    'O p r:c3 c:m1:c1 q c:m1:c2 q r:c1 c:m1:c3 q r:c2 a:m3',
    'u n1 | a c1 + c2 + c3 | u c3: n2 + QUEUED + QUEUED + c1: n7 + QUEUED + c2: n10 | a n11',
  ],
  ['p r:c1 c:m1:c1 r:c2 c:m1:c2 A', 'u n1 | a c1 + c2 | u c2: n4 + c1: n2 | a n6'],
  [
    'p r:c2 c:m1:c1 r:c3 c:m1:c2 c:m1:c3 r:c1 A',
    'u n1 | a c1 + c2 + c3 | u c3: n4 + c2: n2 + c1: n7 | a n8',
  ],
  [
    'p r:c1 r:c2 c:m1:c1 r:c3 c:m1:c2 c:m1:c3 A',
    'u n1 | a c1 + c2 + c3 | u c3: n5 + c1: n2 + c2: n3 | a n8',
  ],
  ['p r:c1 c:m1:c1 r:c9 r:c2 c:m1:c2 A', 'u n1 | a c1 + c2 | u c2: n5 + c1: n2 | a n7'],
  [
    'p c:m1:c1 r:c3 c:m1:c2 r:c1 c:m1:c3 r:c2 A',
    'u n1 | a c1 + c2 + c3 | u c3: n3 + c1: n5 + c2: n7 | a n8',
  ],
  ['p r:c1 c:m1:c1 r:c1:real r:c2 c:m1:c2 A', 'u n1 | a c1 + c2 | u c1: real + c2: n5 | a n7'],
  [
    'p r:c3 c:m1:c1 r:c2 c:m1:c2 r:c1 c:m1:c3 A',
    'u n1 | a c1 + c2 + c3 | u c2: n4 + c1: n6 + c3: n2 | a n8',
  ],
  ['p a:m1 p T:m1 a:m2', 'u n1 | a n2 | u n3 | a (no content) | a n5'],
  ['p a:m1 p T:m1 p a:m2', 'u n1 | a n2 | u n3 | a (no content) | u n5 | a n6'],
  ['p c:m1:c1 r:c1 p T:m1 a:m2', 'u n1 | a c1 | u c1: n3 + n4 | a n6'],
  ['p T:m1 c:m1:c1 p a:m2', 'u n1\n + n4 | a n5'],
  ['p c:m1:c1 r:c1 T:m1 c:m1:c2', 'u n1 | a c1 + c2 | u c1: n3 + c2: INTERRUPTED'],
  ['p a:m1 p qh T:m1 qh a:m2', 'u n1 | a n2 | u QUEUED\n + n3 | a (no content) | u QUEUED | a n7'],
];

const WORDS = { QUEUED, MISSING, INTERRUPTED };

export const SCRIPTED: readonly Asked[] = SCRIPTS.map(([what, sent]) => ({
  what,
  lines: toLines(what),
  sent: sent
    .split(' | ')
    .map((words) =>
      words.replaceAll(/QUEUED|MISSING|INTERRUPTED/g, (word) => WORDS[word as keyof typeof WORDS]),
    ),
}));
