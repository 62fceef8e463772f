import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import {
  buildHealthy,
  lineOf,
  toMessage,
  toText,
  withFields,
  withLines,
  withTextBefore,
} from './healthy-session.ts';

export interface NeovateFault {
  readonly rule: string;
  readonly what: string;
  readonly session: string | Buffer;
  readonly line: number;
  /** Findings that come of it, as `line rule`. */
  readonly also?: readonly string[];
  readonly maxLineBytes?: number;
}

const END = buildHealthy().length + 1;
const healthy = toText(buildHealthy());
const answer = { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] };

/** A message that the agent would write next. */
function late(message: JsonObject): JsonObject {
  return toMessage({ ...answer, ...message }, 5000);
}

function field(rule: string, what: string, uuid: string, fields: JsonObject): NeovateFault {
  return { rule, what, session: withFields(uuid, fields), line: lineOf(uuid) };
}

function part(what: string, uuid: string, content: JsonObject): NeovateFault {
  return field('part-fields', what, uuid, { content: [content] });
}

const LINES: readonly NeovateFault[] = [
  { rule: 'file-bom', what: 'a byte order mark', session: `\ufeff${healthy}`, line: 1 },
  {
    rule: 'line-unreadable',
    what: 'a cut line',
    session: withTextBefore(END, '{"a":\n'),
    line: END,
  },
  { rule: 'line-unreadable', what: 'prose', session: withTextBefore(3, 'hello\n'), line: 3 },
  { rule: 'line-torn', what: 'a torn end', session: `${healthy}{"parentUuid":"la`, line: END },
  {
    rule: 'line-glued',
    what: 'two messages on a line',
    session: healthy.replace('}\n{"uuid":"call"', '}{"uuid":"call"'),
    line: 2,
    also: ['3 entry-orphan'],
  },
  { rule: 'line-nul', what: 'NUL bytes', session: withTextBefore(END, '\0\0\0\n'), line: END },
  { rule: 'line-blank', what: 'a line of spaces', session: withTextBefore(3, '  \n'), line: 3 },
  {
    rule: 'line-blank',
    what: 'a carriage return',
    session: withTextBefore(END, '\r\n'),
    line: END,
  },
  { rule: 'line-not-object', what: 'null', session: withTextBefore(3, 'null\n'), line: 3 },
  {
    rule: 'line-invalid-utf8',
    what: 'a stray byte',
    session: Buffer.from(healthy.replace('Tidy up', 'T\xfcdy up'), 'latin1'),
    line: lineOf('ask'),
  },
  {
    rule: 'line-oversized',
    what: 'a long line',
    session: withTextBefore(END, `{"type":"x","x":"${'x'.repeat(5000)}"}\n`),
    line: END,
    maxLineBytes: 4096,
  },
  { rule: 'line-unterminated', what: 'no line feed', session: healthy.slice(0, -1), line: END - 1 },
  { rule: 'type-unknown', what: 'a new type', session: withLines({ type: 'new' }), line: END },
  { rule: 'type-unknown', what: 'no type', session: withLines({ x: 1 }), line: END },
];

const [config, ...others] = buildHealthy();
const SETTINGS: readonly NeovateFault[] = [
  { rule: 'messages-missing', what: 'settings only', session: toText([config ?? {}]), line: 1 },
  { rule: 'config-missing', what: 'no settings', session: toText(others), line: 1 },
  {
    rule: 'config-misplaced',
    what: 'settings at the end',
    session: toText([...others, config ?? {}]),
    line: END - 1,
  },
  { rule: 'config-several', what: 'settings again', session: withLines(config ?? {}), line: END },
];

const MESSAGES: readonly NeovateFault[] = [
  field('message-fields', 'no uuid', 'left', { uuid: undefined }),
  field('message-fields', 'an empty uuid', 'left', { uuid: '' }),
  field('message-fields', 'a number for a parent', 'last', { parentUuid: 7 }),
  field('message-fields', 'a role of its own', 'left', { role: 'robot' }),
  field('message-fields', 'content that is null', 'left', { content: null }),
  part('no object', 'left', {}),
  part('a part of another role', 'left', { type: 'tool-result' }),
  part('a file', 'again', { type: 'file', data: '' }),
  part('text without text', 'again', { type: 'text' }),
  part('a call without input', 'left', { type: 'tool_use', id: 'x', name: 'ls' }),
  part('a result without a call id', 'results', { type: 'tool-result', toolName: 'x', result: {} }),
  field('image-data', 'an image that is none', 'again', {
    content: [{ type: 'image', data: 'data:image/png;base64,%%%', mimeType: 'image/png' }],
  }),
  field('place-session-id', 'a session of another name', 'again', { sessionId: 'ffffffff' }),
  field('place-session-id', 'no session', 'again', { sessionId: undefined }),
  field('parent-unnamed', 'no parent', 'left', { parentUuid: undefined }),
  field('entry-orphan', 'a parent that is gone', 'left', { parentUuid: 'gone' }),
  field('entry-time-backwards', 'a clock set back', 'last', {
    timestamp: '2020-01-01T00:00:00.000Z',
  }),
].map((fault) => {
  // What is not a string is read as no parent.
  const isRoot = fault.what === 'a number for a parent' || fault.what === 'no parent';
  if (!isRoot) return fault;
  const role = fault.line === lineOf('last') ? 'path-start' : 'root-stray';
  return { ...fault, also: [`${fault.line} ${role}`] };
});

const RELATIONS: readonly NeovateFault[] = [
  {
    rule: 'entry-duplicate-id',
    what: 'a uuid twice',
    session: withLines(late({ uuid: 'last', parentUuid: 'oldResult' })),
    line: END,
  },
  {
    rule: 'entry-cycle',
    what: 'a message that is its own parent',
    session: withFields('left', { parentUuid: 'left' }),
    line: lineOf('left'),
  },
  {
    rule: 'entry-cycle',
    what: 'a circle that a uuid given twice closes',
    session: withLines(late({ uuid: 'ask', parentUuid: 'results' })),
    line: lineOf('call'),
    also: [`${END} entry-duplicate-id`],
  },
  {
    rule: 'root-stray',
    what: 'a root in the middle',
    session: withFields('again', { parentUuid: null }),
    line: lineOf('again'),
  },
  {
    rule: 'path-start',
    what: 'a path that begins with an answer',
    session: withLines(late({ uuid: 'third', parentUuid: null })),
    line: END,
  },
  {
    rule: 'compaction-unused',
    what: 'a summary that nothing follows',
    session: withFields('next', { parentUuid: 'done' }),
    line: lineOf('summary'),
  },
  {
    rule: 'tool-use-open',
    what: 'a call without a result',
    session: withLines(
      late({
        uuid: 'x',
        parentUuid: 'last',
        content: [{ type: 'tool_use', id: 'x1', name: 'ls', input: {} }],
      }),
    ),
    line: END,
  },
  {
    rule: 'tool-result-stray',
    what: 'a result without a call',
    session: withFields('old', { content: [] }),
    line: lineOf('oldResult'),
  },
  {
    rule: 'tool-result-beside',
    what: 'a result beside the path',
    session: withFields('last', { parentUuid: 'old' }),
    line: lineOf('old'),
  },
];

export const FAULTS = [...LINES, ...SETTINGS, ...MESSAGES, ...RELATIONS];
