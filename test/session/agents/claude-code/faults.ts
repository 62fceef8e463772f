import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import {
  assistant,
  boundary,
  call,
  HEALTHY,
  result,
  SESSION_ID,
  summary,
  text,
  thinking,
  toNode,
  toText,
  user,
  withFields,
  withMore,
  without,
} from './healthy-session.ts';

export interface ClaudeCodeFault {
  readonly rule: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly what: string;
  readonly session: string | Buffer;
  readonly line: number;
  /** Findings that come of it, as `line rule`. */
  readonly also?: readonly string[];
  readonly maxLineBytes?: number;
}

const healthy = toText(HEALTHY);
export const END = HEALTHY.length + 1;
const lines = healthy.trimEnd().split('\n');
const LATE = 700;

/** The lines of the healthy session as text, one of them other than it was. */
function withLine(line: number, change: (text: string) => string): string {
  return `${lines.with(line - 1, change(lines[line - 1] ?? '')).join('\n')}\n`;
}

/** The end of the conversation after the lines of the healthy session. */
export function next(more: JsonObject, parent: string | null = 'n7', seconds = 8): JsonObject {
  return toNode('n10', parent, seconds, more);
}

export const image = (data: string): JsonObject =>
  user([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }]);
export const worktree = (worktreeSession: JsonObject | null): JsonObject => ({
  type: 'worktree-state',
  worktreeSession,
  sessionId: SESSION_ID,
});
const saved =
  '<persisted-output>\nOutput too large (40KB). Full output saved to: /nowhere/x/tool-results/b.txt\n\nPreview';
const big = toNode('n1', null, 1, user('x'.repeat(5_300_000)));

const LINES: readonly ClaudeCodeFault[] = [
  {
    rule: 'file-bom',
    level: 'info',
    what: 'a byte order mark',
    session: `\ufeff${healthy}`,
    line: 1,
  },
  {
    rule: 'line-malformed',
    level: 'error',
    what: 'a line that is cut off in the middle of the file',
    session: withLine(8, (line) => line.slice(0, 30)),
    line: 8,
  },
  {
    rule: 'line-torn',
    level: 'error',
    what: 'a last line that is cut off',
    session: healthy.slice(0, -20),
    line: 9,
  },
  {
    rule: 'line-glued',
    level: 'error',
    what: 'two records on one line',
    session: `${[...lines.slice(0, 7), (lines[7] ?? '') + (lines[8] ?? '')].join('\n')}\n`,
    line: 8,
  },
  {
    rule: 'line-nul',
    level: 'error',
    what: 'NUL bytes before a record',
    session: withLine(8, (line) => `\0\0\0${line}`),
    line: 8,
  },
  {
    rule: 'line-not-object',
    level: 'error',
    what: 'a string',
    session: withMore('x'),
    line: END,
  },
  {
    rule: 'line-invalid-utf8',
    level: 'warning',
    what: 'a byte of no character',
    session: Buffer.from(healthy.replace('Tidying', 'Tid\u00ffing'), 'latin1'),
    line: 9,
  },
  {
    rule: 'line-oversized',
    level: 'error',
    what: 'a line longer than can be read',
    session: withMore({ type: 'mode', mode: 'x'.repeat(2000), sessionId: SESSION_ID }),
    line: END,
    maxLineBytes: 1000,
  },
  {
    rule: 'line-unterminated',
    level: 'info',
    what: 'a last line without its line feed',
    session: healthy.trimEnd(),
    line: 9,
  },
  {
    rule: 'line-crlf',
    level: 'info',
    what: 'the line ends of Windows',
    session: healthy.replaceAll('\n', '\r\n'),
    line: 1,
  },
  {
    rule: 'line-not-object',
    level: 'error',
    what: 'an array on the first line',
    session: `[{"a":1}]\n${healthy}`,
    line: 1,
  },
  {
    rule: 'record-spread',
    level: 'error',
    what: 'a record with a line feed between two members',
    session: withLine(8, (line) => line.replace(',', ',\n')),
    line: 8,
    also: ['8 line-malformed', '9 line-malformed'],
  },
];

const LEAVES: readonly ClaudeCodeFault[] = [
  {
    rule: 'conversation-missing',
    level: 'error',
    what: 'nothing but metadata',
    session: without(1, 2, 3, 4, 5, 6, 7),
    line: 1,
  },
  {
    rule: 'title-only',
    level: 'info',
    what: 'nothing but the title of another session',
    session: toText([{ type: 'summary', summary: 'A title', leafUuid: 'n9' }]),
    line: 1,
  },
  {
    rule: 'leaf-sidechain',
    level: 'error',
    what: 'a last-prompt that names a line of a sub-agent',
    session: withMore(
      { ...next(user('Look.'), null), isSidechain: true },
      { type: 'last-prompt', leafUuid: 'n10', sessionId: SESSION_ID },
    ),
    line: END + 1,
  },
  {
    rule: 'leaf-hides',
    level: 'warning',
    what: 'a stale last-prompt',
    session: withMore(next(user('Newer.'), 'n3'), HEALTHY[7] ?? {}),
    line: END + 1,
    also: ['7 leaf-differs'],
  },
  {
    rule: 'leaf-differs',
    level: 'info',
    what: 'a branch that is later in the file and earlier by its time',
    session: `${toText(HEALTHY.slice(0, 7))}${toText([next(user('Other.'), 'n3', 6)])}`,
    line: 8,
    also: ['5 context-differs'],
  },
];

const LINKS: readonly ClaudeCodeFault[] = [
  {
    rule: 'node-orphan',
    level: 'error',
    what: 'a parent that is not in the file, and nothing near',
    session: withMore(next(user('On.'), 'gone', LATE)),
    line: END,
    also: ['8 leaf-hides', '7 leaf-differs'],
  },
  {
    rule: 'node-bridged',
    level: 'warning',
    what: 'a parent that is not in the file, and another a second before',
    session: withMore(next(user('On.'), 'gone')),
    line: END,
    also: ['8 leaf-hides', '7 leaf-differs'],
  },
  {
    rule: 'node-cycle',
    level: 'error',
    what: 'an entry below itself',
    session: withFields(1, { parentUuid: 'n3' }),
    line: 1,
  },
  {
    rule: 'uuid-repeated',
    level: 'warning',
    what: 'another text under the same uuid',
    session: withMore(toNode('n3', 'n2', 3, assistant('msg_1', text('Other.')))),
    line: END,
  },
  {
    rule: 'preserved-missing',
    level: 'error',
    what: 'a compaction that keeps what is not there',
    session: withMore(
      toNode('b', null, 8, boundary({ preservedMessages: { anchorUuid: 's', uuids: ['gone'] } })),
      toNode('s', 'b', 9, summary),
    ),
    line: END,
  },
  {
    rule: 'boundary-unsummarized',
    level: 'warning',
    what: 'a compaction without a summary',
    session: withMore(toNode('b', null, 8, boundary()), toNode('n10', 'b', 9, user('On.'))),
    line: END,
  },
  {
    rule: 'branches-unloaded',
    level: 'warning',
    what: 'a branch before the last compaction of more than 5 MiB',
    session: toText([
      big,
      ...HEALTHY.slice(1, 7),
      next(user('Aside.'), 'n3'),
      toNode('b', null, 9, boundary()),
      toNode('s', 'b', 10, summary),
    ]),
    line: 9,
  },
];

const CONTENT: readonly ClaudeCodeFault[] = [
  {
    rule: 'message-unreadable',
    level: 'warning',
    what: 'a message that is null',
    session: withMore(next({ type: 'user', message: null })),
    line: END,
  },
  {
    rule: 'record-type-unknown',
    level: 'info',
    what: 'a type of tomorrow',
    session: withMore({ type: 'of-tomorrow', sessionId: SESSION_ID }),
    line: END,
  },
  {
    rule: 'attachment-unknown',
    level: 'info',
    what: 'an attachment of tomorrow',
    session: withMore(next({ type: 'attachment', attachment: { type: 'of-tomorrow' } })),
    line: END,
  },
  {
    rule: 'block-unknown',
    level: 'info',
    what: 'a block of tomorrow',
    session: withMore(next(assistant('msg_3', { type: 'of-tomorrow' }))),
    line: END,
  },
  {
    rule: 'image-refused',
    level: 'error',
    what: 'an image that is not base64',
    session: withMore(next(image('%%%'))),
    line: END,
  },
  {
    rule: 'image-refused',
    level: 'error',
    what: 'a long image of which the end is not base64',
    session: withMore(next(image(`${'A'.repeat(300)}%`))),
    line: END,
  },
  {
    rule: 'image-refused',
    level: 'error',
    what: 'an image of a tool of more than 5 MiB',
    session: withMore(
      next(assistant('msg_3', call('c2'))),
      toNode(
        'n11',
        'n10',
        9,
        user([
          result('c2', [
            { type: 'image', source: { type: 'base64', data: 'A'.repeat(5_300_000) } },
          ]),
        ]),
      ),
    ),
    line: END + 1,
  },
  {
    rule: 'text-nul',
    level: 'error',
    what: 'a NUL that a tool has printed',
    session: withFields(5, user([result('c1', 'a\0b')])),
    line: 5,
  },
  {
    rule: 'models-several',
    level: 'info',
    what: 'the thinking of another model',
    session: withMore(
      next(assistant('msg_3', thinking, 'claude-sonnet-5')),
      toNode('n11', 'n10', 9, assistant('msg_3', text('Yes.'), 'claude-sonnet-5')),
    ),
    line: END,
  },
];

const PLACES: readonly ClaudeCodeFault[] = [
  {
    rule: 'worktree-unverified',
    level: 'error',
    what: 'a directory that is no worktree',
    session: withMore(worktree({ worktreePath: import.meta.dirname, originalCwd: '/nowhere' })),
    line: END,
  },
  {
    rule: 'tool-results-missing',
    level: 'warning',
    what: 'the path of an output that is gone',
    session: withFields(5, user([result('c1', saved)])),
    line: 5,
  },
  {
    rule: 'place-other-session',
    level: 'warning',
    what: 'the id of another session on every line',
    session: healthy.replaceAll(SESSION_ID, 'a-b-c'),
    line: 1,
  },
  {
    rule: 'session-ids-mixed',
    level: 'warning',
    what: 'the id of another session on some lines',
    session: withMore({ ...next(user('On.')), sessionId: 'a-b-c' }),
    line: END,
  },
  {
    rule: 'place-other-project',
    level: 'warning',
    what: 'a working directory of another folder',
    session: healthy.replaceAll('/home/u/demo', '/home/u/moved'),
    line: 1,
  },
  {
    rule: 'source-headless',
    level: 'info',
    what: 'a session of a program',
    session: healthy.replaceAll('"cli"', '"sdk-cli"'),
    line: 1,
  },
  {
    rule: 'copied-on-resume',
    level: 'info',
    what: 'answers that 1.0.59 has copied',
    session: withFields(3, { requestId: undefined, version: '1.0.59' }),
    line: 3,
  },
];

/** One for each rule, and more. */
export const FAULTS: readonly ClaudeCodeFault[] = [
  ...LINES,
  ...LEAVES,
  ...LINKS,
  ...CONTENT,
  ...PLACES,
];
