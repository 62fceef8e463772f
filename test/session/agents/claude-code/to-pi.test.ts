import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { getDialect } from '../../../../src/session/agents/index.ts';
import { convertSession } from '../../../../src/session/migrate/convert-session.ts';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { previewImageFiles } from '../../../../src/store/output/image-files.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';
import {
  assistant,
  boundary,
  call,
  HEALTHY,
  result,
  SESSION_ID,
  summary,
  text,
  toNode,
  toText,
  user,
  withMore,
} from './healthy-session.ts';

async function convert(content: string) {
  const dir = await makeTempDir();
  const newPath = join(dir, 'new.jsonl');
  await writeFiles(dir, { [`${SESSION_ID}.jsonl`]: content });
  const converted = await convertSession(join(dir, `${SESSION_ID}.jsonl`), {
    to: getDialect('pi'),
    cwd: '/home/u/demo',
    fallbackCwd: '/',
    findPath: () => Promise.resolve(newPath),
    openImages: previewImageFiles,
    apply: true,
    signal: new AbortController().signal,
  });
  const lines = converted.newPath === null ? '' : await readFile(newPath, 'utf8');
  const entries = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
  return { ...converted, newPath, entries };
}

const said = ({ message, type, content }: JsonObject) => {
  const { role, content: inner, ...rest } = (message ?? {}) as JsonObject;
  return { type, ...(role && { role, content: inner }), ...(content && { content }), rest };
};

it('makes one message of the lines of an answer, and keeps the path as one chain', async () => {
  const { entries } = await convert(toText(HEALTHY));
  const [header, name, ...others] = entries;
  expect(header).toMatchObject({ type: 'session', version: 3, id: SESSION_ID });
  expect(name).toMatchObject({ type: 'session_info', name: 'Tidying', parentId: null });
  expect(others.map(({ id }) => id)).toEqual(['n1', 'n4', 'n5', 'n6', 'n7']);
  expect(others.map(({ parentId }) => parentId)).toEqual([name?.['id'], 'n1', 'n4', 'n5', 'n6']);
  expect(others.map(said)).toMatchObject([
    { role: 'user', content: 'Tidy up the module, please.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', thinkingSignature: 'c2ln' },
        { type: 'text', text: 'Looking.' },
        { type: 'toolCall', id: 'c1', name: 'Bash', arguments: { command: 'ls' } },
      ],
      rest: { provider: 'anthropic', model: 'claude-opus-5-5', stopReason: 'toolUse' },
    },
    { role: 'toolResult', rest: { toolCallId: 'c1', toolName: 'Bash', isError: false } },
    { role: 'user', content: [{ type: 'text', text: 'And test it.' }] },
    { role: 'assistant', rest: { stopReason: 'stop', responseId: 'msg_2' } },
  ]);
});

const ask = toNode('n1', null, 1, user('Tidy up the module, please.'));
const reply = toNode('n2', 'n1', 2, assistant('msg_1', text('Looking.')));
const since = [toNode('n3', null, 3, boundary()), toNode('n4', 'n3', 4, summary)];
const clean = '<command-name>/clean</command-name>\n<command-args>src</command-args>';
const long = 'Tidy up. '.repeat(100);

it.each([
  ['the first prompt that pi shows by itself', [ask, reply], undefined],
  ['one before a compaction', [ask, reply, ...since], 'Tidy up the module, please.'],
  ['a command', [toNode('n1', null, 1, user(clean)), reply], '/clean src'],
  [
    'a long one',
    [toNode('n1', null, 1, user(long)), reply, ...since],
    `${'Tidy up. '.repeat(22).trim()}…`,
  ],
])('lists a session without a title by what the client lists it: %s', async (_, lines, name) => {
  const { entries } = await convert(toText(lines));
  expect(entries.find(({ type }) => type === 'session_info')?.['name']).toBe(name);
});

it('puts what a compaction keeps before it', async () => {
  const kept = { anchorUuid: 'n11', uuids: ['n6', 'n7'], allUuids: ['n6', 'n7'] };
  const { newPath, entries } = await convert(
    withMore(
      toNode('n10', null, 10, boundary({ preservedMessages: kept })),
      toNode('n11', 'n10', 11, summary),
      toNode('n12', 'n7', 12, user('Go on.')),
    ),
  );
  const types = entries.slice(2).map(({ id, type }) => [type, id]);
  expect(types).toEqual([
    ['message', 'n6'],
    ['message', 'n7'],
    ['compaction', 'n11'],
    ['message', 'n12'],
  ]);
  expect(entries.find(({ type }) => type === 'compaction')).toMatchObject({
    summary: 'This session is being continued.',
    firstKeptEntryId: 'n6',
    tokensBefore: 9000,
  });
  const { messages } = await readContext(newPath);
  expect(messages.map(({ role }) => role)).toEqual([
    'compactionSummary',
    'user',
    'assistant',
    'user',
  ]);
});

it('puts a result that stands before its call behind it', async () => {
  const { entries, problems } = await convert(
    toText([
      ask,
      toNode('n2', 'n1', 2, user([result('c1')])),
      toNode('n3', 'n2', 3, assistant('msg_1', call('c1'))),
      toNode('n4', 'n3', 4, assistant('msg_1', call('c2'))),
      toNode('n5', 'n4', 5, user([result('c2')])),
    ]),
  );
  expect(entries.slice(1).map(({ id }) => id)).toEqual(['n1', 'n4', 'n2', 'n5']);
  expect(problems.map(({ code }) => code)).toEqual(['field-lost']);
});

it('names all that pi has no place for', async () => {
  const { problems } = await convert(
    withMore(
      toNode('n10', 'n7', 10, user('<local-command-stdout>x</local-command-stdout>')),
      toNode('n11', 'n10', 11, { type: 'attachment', attachment: { type: 'hook_success' } }),
      toNode('n12', 'n11', 12, assistant('msg_3', { type: 'document', source: {} })),
      toNode('n13', 'n12', 13, assistant('msg_3', { ...call('c2'), name: 'Task' })),
      toNode('n14', 'n13', 14, user([result('c9'), text('And?')])),
      toNode('n15', 'n1', 15, user('Another way.')),
      { type: 'last-prompt', leafUuid: 'n14', explicit: true, sessionId: SESSION_ID },
      { type: 'api-request', sessionId: SESSION_ID },
    ),
  );
  expect(problems.map(({ line, code, message }) => `${line} ${code}: ${message}`)).toEqual([
    '1 field-lost: 10 lines lose fields that pi does not know: userType, entrypoint, version, requestId',
    '5 display-lost: the details of 1 result, as shown to people, are left out',
    '8 aside-lost: 3 lines beside the conversation left out: last-prompt, api-request',
    '11 attachment-lost: 1 attachment left out: hook_success',
    '12 block-lost: 1 block that pi does not know left out: document',
    '13 subagent-lost: the work of sub-agents is left out: 1 call of them and their results are kept',
    '13 tool-use-open: a call of Task has no result: pi reports that to the model',
    '14 tool-result-orphan: a result has no call before it: c9; the agent does not send it',
    '15 branch-lost: 1 line outside of the current path left out: other branches, sub-agents, and entries before a compaction',
  ]);
});

it('leaves a session that the client does not open, or that says nothing', async () => {
  const empty = { type: 'last-prompt', leafUuid: null, explicit: true, sessionId: SESSION_ID };
  for (const content of [withMore(empty), toText([empty])]) {
    const { action, reasons } = await convert(content);
    expect({ action, reasons: reasons.length }).toEqual({ action: 'skip', reasons: 1 });
  }
});
