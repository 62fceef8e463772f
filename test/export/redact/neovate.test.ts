import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sized } from '../../harness/runs.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';
import { makeKey } from './kinds.ts';
import { readOutput } from './read-output.ts';

const FORMATS = ['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts', 'parquet'] as const;

/** Every place that has been asked for a key, which is another in each. */
const places: string[] = [];
const K = (place: string): string => {
  places.push(`Neovate ${place}`);
  return makeKey(`Neovate ${place}`);
};
const same = (place: string): string => makeKey(`Neovate ${place}`);
const text = (said: string): object => ({ type: 'text', text: said });

const SESSION_ID = K('session id');
const MESSAGES: readonly object[] = [
  { role: 'user', content: `plain ${K('user text')}` },
  { role: 'user', content: [text(K('user part')), { ...text(K('hidden part')), hidden: true }] },
  { role: 'user', content: `<bash-input>echo ${K('own command')}</bash-input>` },
  {
    role: 'user',
    content: `<bash-stdout>Command: echo ${K('command that ran')}\nDirectory: /w/${K('directory')}\nStdout: ${K('output')}\nStderr: ${K('errors')}\nError: ${K('failure')}\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nPGID: ${K('group')}</bash-stdout>`,
    uiContent: K('text of the screen'),
  },
  { role: 'user', content: [text(K('slash command'))], hidden: true },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: K('reasoning'), providerMetadata: { x: K('provider data') } },
      text(K('answer')),
      {
        type: 'tool_use',
        id: K('call id'),
        name: K('tool'),
        input: { command: `x ${K('argument')}`, [K('argument name')]: [K('item')] },
        description: K('description'),
        displayName: K('display name'),
      },
      { type: K('unknown part type'), text: K('unknown part') },
    ],
    text: K('copy of the answer'),
    model: `${K('provider')}/${K('model')}`,
    usage: { input_tokens: 1, output_tokens: 1 },
    metadata: { agentId: K('agent id'), agentType: K('agent type') },
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: same('call id'),
        toolName: K('tool of a result'),
        input: { file: K('input of a result') },
        result: {
          llmContent: [
            text(K('result part')),
            { type: 'image', data: K('image data'), mimeType: K('image type') },
          ],
          isError: false,
          returnDisplay: {
            type: 'diff_viewer',
            filePath: K('file path'),
            absoluteFilePath: `/w/${K('absolute path')}`,
            originalContent: { inputKey: K('input key') },
            newContent: K('new content'),
            writeType: K('write type'),
          },
          backgroundTaskId: K('background task'),
        },
      },
      {
        type: 'tool-result',
        toolCallId: 'c2',
        toolName: 'todo',
        input: {},
        result: {
          llmContent: K('result text'),
          returnDisplay: {
            type: 'todo_write',
            oldTodos: [],
            newTodos: [{ id: K('todo id'), content: K('todo') }],
          },
        },
      },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        id: K('old call'),
        name: K('old tool'),
        input: { a: K('old input') },
        result: K('old result'),
      },
    ],
  },
  {
    role: 'user',
    content: 'copied',
    forkedFrom: { sessionId: K('parent session'), messageUuid: K('parent message') },
  },
  { role: K('role'), content: K('content of an unknown role') },
  { role: 'system', content: K('system prompt') },
  { role: 'assistant', content: K('answer as a string'), model: 'a/b' },
];
const TIME = '2026-03-01T10:00:00.000Z';
const toUuid = (at: number): string =>
  at === 2 ? K('uuid') : `0000000${at}-0000-4000-8000-00000000000${at % 10}`;
const UUIDS = MESSAGES.map((_, at) => toUuid(at));
const LINES: readonly object[] = [
  {
    type: 'config',
    config: {
      approvalMode: K('approval mode'),
      approvalTools: [K('approved tool')],
      summary: K('title of a model'),
      pastedTextMap: { [`#${K('name of a paste')}`]: K('pasted text') },
      pastedImageMap: { '#1': K('pasted image') },
      history: [K('history')],
      additionalDirectories: [`/w/${K('further directory')}`],
      model: K('model of the settings'),
      env: { DB_PASSWORD: 'Neovate-9x-Passw' },
    },
  },
  ...MESSAGES.map((message, at) => ({
    type: 'message',
    uuid: UUIDS[at],
    parentUuid: UUIDS[at - 1] ?? null,
    timestamp: TIME,
    sessionId: SESSION_ID,
    ...message,
  })),
  { type: 'custom-title', customTitle: K('title'), sessionId: SESSION_ID },
  {
    type: 'snapshot',
    messageId: same('uuid'),
    timestamp: TIME,
    trackedFileBackups: {
      [`src/${K('tracked file')}`]: { backupFileName: K('backup'), version: 1 },
    },
  },
  { type: K('unknown type'), data: K('unknown data') },
];

it.each(sized<readonly string[]>(['md', 'html', 'json', 'parquet'], FORMATS))(
  'an export of a Neovate session with --redact as %s shows no secret',
  async (as) => {
    const cwd = await makeTempDir();
    await writeFiles(cwd, { [`in/p/${SESSION_ID}.jsonl`]: toJsonl(LINES) });
    const args = ['export', '--store', 'in', '--as', as, '--out', 'out', '--redact'];
    const { exitCode, err } = await runTest(args, { cwd });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    const written = await readOutput(join(cwd, 'out'));
    expect(places.filter((place) => written.includes(makeKey(place).slice(-20)))).toEqual([]);
    expect(written).not.toContain('Neovate-9x-Passw');
    expect(written).toContain('[REDACTED:github-token]');
    expect(places.length).toBeGreaterThan(50);
  },
);
