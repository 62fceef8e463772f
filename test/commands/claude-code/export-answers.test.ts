import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { takeSome } from '../../harness/runs.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

/** Lines of a chain, each with the one before it as its parent. */
function toLines(nodes: readonly object[]): string {
  const lines = nodes.map((node, at) => ({
    uuid: `n${at}`,
    parentUuid: at === 0 ? null : `n${at - 1}`,
    sessionId: 's',
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString(),
    ...node,
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

const user = (content: unknown): object => ({ type: 'user', message: { role: 'user', content } });
const result = (id: string): object =>
  user([{ type: 'tool_result', tool_use_id: id, content: `of ${id}` }]);
const answer = (id: string, block: object, more: object = {}): object => ({
  type: 'assistant',
  message: {
    id,
    role: 'assistant',
    model: 'claude-opus-4-8',
    content: [block],
    usage: { input_tokens: 100, output_tokens: 10 },
    ...more,
  },
});
const text = (words: string): object => ({ type: 'text', text: words });
const call = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: {} });

async function run(nodes: readonly object[], ...argv: readonly string[]): Promise<string> {
  const dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': toLines(nodes) });
  const { out, err, exitCode } = await runTest([...argv, join(dir, 's.jsonl')], { cwd: dir });
  if (exitCode !== 0) throw new Error(err);
  return out;
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | null;
  readonly weight?: number;
  readonly tool_call_id?: string;
}

async function readChat(nodes: readonly object[]): Promise<readonly ChatMessage[]> {
  const out = await run(nodes, 'export', '--as', 'chat');
  return (JSON.parse(out) as { messages: readonly ChatMessage[] }).messages;
}

const toWords = ({ role, content, tool_call_id: id }: ChatMessage): string =>
  `${role}: ${content ?? '(calls)'}${id === undefined ? '' : ` (${id})`}`;

interface JsonTurn {
  readonly role: string;
  readonly usage?: { readonly input: number };
}

async function readTurns(nodes: readonly object[]): Promise<readonly JsonTurn[]> {
  const out = await run(nodes, 'export', '--as', 'json');
  return (JSON.parse(out) as { turns: readonly JsonTurn[] }).turns;
}

const sumInput = (turns: readonly JsonTurn[]): number =>
  turns.reduce((sum, { usage }) => sum + (usage?.input ?? 0), 0);

/** The first result came before the second line of the answer. */
const FAST = [
  user('Go.'),
  answer('m1', call('c1')),
  result('c1'),
  answer('m1', call('c2')),
  result('c2'),
  answer('m2', text('Done.')),
];

describe('an answer of which a result stands between the lines', () => {
  it('is one turn, before its results, and counted once', async () => {
    const turns = await readTurns(FAST);
    const roles = ['user', 'assistant', 'toolResult', 'toolResult', 'assistant'];
    expect(turns.map(({ role }) => role)).toEqual(roles);
    expect(sumInput(turns)).toBe(200);
  });

  it('is one message of a data set, and counted once', async () => {
    expect((await readChat(FAST)).map(toWords)).toEqual([
      'user: Go.',
      'assistant: (calls)',
      'tool: of c1 (c1)',
      'tool: of c2 (c2)',
      'assistant: Done.',
    ]);
    const atif = JSON.parse(await run(FAST, 'export', '--as', 'atif')) as object;
    expect(atif).toMatchObject({ final_metrics: { total_prompt_tokens: 200 } });
  });

  it('is counted once, too, if a prompt keeps its lines apart', async () => {
    const [go, first, one, second, two] = FAST;
    const apart = [go, first, one, user('And?'), second, two].flatMap((node) => node ?? []);
    expect(sumInput(await readTurns(apart))).toBe(100);
  });
});

it('keeps a call with its result if something was typed before it came', async () => {
  const nodes = [user('Go.'), answer('m1', call('c1')), user('Wait!'), result('c1')];
  expect((await readChat(nodes)).map(toWords)).toEqual([
    'user: Go.',
    'assistant: (calls)',
    'tool: of c1 (c1)',
    'user: Wait!',
  ]);
});

describe('text that the client queued by itself', () => {
  const NOTICE = '<task-notification>done</task-notification>';
  const queue = (commandMode: string): object => ({
    type: 'attachment',
    attachment: { type: 'queued_command', prompt: `${commandMode} ${NOTICE}`, commandMode },
  });
  const nodes = [
    user('Go.'),
    queue('task-notification'),
    queue('prompt'),
    answer('m1', text('Yes.')),
  ];

  it('is no prompt, unlike what was typed', async () => {
    const typed = `prompt ${NOTICE}`;
    const words = (await readChat(nodes)).map(toWords);
    expect(words).toEqual(['user: Go.', `user: ${typed}`, 'assistant: Yes.']);
    const shown = await run(nodes, 'export', '--as', 'text');
    expect(shown).toContain(typed);
    expect(shown).not.toContain(`task-notification ${NOTICE}`);
    const all = await run(nodes, 'export', '--as', 'text', '--harness');
    expect(all).toContain(`task-notification ${NOTICE}`);
  });

  it('is not listed among the messages of the user', async () => {
    const listed = await run(nodes, 'list', '--entries', '--filter', 'user-only');
    expect(listed).toContain('prompt <task');
    expect(listed).not.toContain('task-notification <task');
  });
});

describe('what the client wrote in the place of an answer', () => {
  const failed = {
    ...answer('e1', text('API Error: 500 x'), { model: '<synthetic>' }),
    isApiErrorMessage: true,
    error: 'server_error',
  };
  const unasked = answer('e2', text('No response requested.'), { model: '<synthetic>' });
  const nodes = [
    user('One.'),
    failed,
    user('Two.'),
    unasked,
    user('Three.'),
    answer('m1', text('3')),
  ];

  it('is not in a data set if the model was not sent it, and else has no weight', async () => {
    const messages = await readChat(nodes);
    expect(messages.map(toWords)).toEqual([
      'user: One.',
      'user: Two.',
      'assistant: No response requested.',
      'user: Three.',
      'assistant: 3',
    ]);
    expect(messages.flatMap(({ weight }, at) => (weight === undefined ? [] : [at]))).toEqual([2]);
  });

  it('cost nothing, and is shown to people with its error', async () => {
    expect(sumInput(await readTurns(nodes))).toBe(100);
    expect(await run(nodes, 'export', '--as', 'text')).toContain(
      'API Error: 500 x\nError: server_error',
    );
  });

  it('is listed as what it is: sent to the model, or not', async () => {
    const sent = await listSent(nodes);
    expect(sent).toEqual(['One.', 'Two.', 'No response requested.', 'Three.', '3']);
  });
});

it('lists a command of the person, and what it printed, as sent to the model', async () => {
  const command = {
    type: 'system',
    subtype: 'local_command',
    content: '<command-name>/cost</command-name>',
  };
  const other = { type: 'system', subtype: 'informational', content: 'a hint' };
  const nodes = [user('One.'), answer('m1', text('1')), command, other, user('Two.')];
  expect(await listSent(nodes)).toEqual(['One.', '1', command.content, 'Two.']);
  expect((await readChat(nodes)).map(toWords)).toEqual([
    'user: One.',
    'assistant: 1',
    'user: Two.',
  ]);
});

const CORPUS = fileURLToPath(new URL('../../fixtures/claude-code', import.meta.url));
const FILES = readdirSync(CORPUS).filter((name) => name.endsWith('.jsonl'));

it.each(takeSome(FILES, 8))('counts the turns of %s as a listing does', async (file) => {
  const { out } = await runTest(['export', '--as', 'json', '--all-branches', file], {
    cwd: CORPUS,
  });
  const { session, turns } = JSON.parse(out) as {
    session: { usage: { input: number } | null };
    turns: readonly JsonTurn[];
  };
  expect(sumInput(turns)).toBe(session.usage?.input);
});

/** The previews of entries that the model is sent. */
async function listSent(nodes: readonly object[]): Promise<readonly string[]> {
  const out = await run(nodes, 'list', '--entries', '--json', '--filter', 'all');
  const { results } = JSON.parse(out) as {
    results: readonly { readonly preview: string; readonly inContext: boolean }[];
  };
  return results.filter(({ inContext }) => inContext).map(({ preview }) => preview);
}
