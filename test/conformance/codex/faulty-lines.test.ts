import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { mutate } from '../../schemas/mutate.ts';
import { FIXTURES, getRecorded } from '../../session/agents/codex/corpus.ts';
import { type AppServer, Codex, CodexError } from './client.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

/** Of the lines with one field changed, one in so many. */
const STEP = process.env['COPPICE_LONG'] === '1' ? 1 : 23;

const ID = '01a20000-aaaa-7000-8000-0000000000aa';
const TIME = '2026-11-21T20:00:07.000Z';
const TYPED = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Kept' }] };
const AFTER = { ...TYPED, content: [{ type: 'input_text', text: 'After' }] };
const HEADER: JsonObject = {
  id: ID,
  timestamp: TIME,
  cwd: '/home/u2/demo-project',
  originator: 'coppice',
  cli_version: '0.169.0',
  source: 'cli',
  model_provider: 'mock',
  history_mode: 'paginated',
};

const toLine = (type: string, payload: JsonValue): JsonObject => ({
  timestamp: TIME,
  type,
  payload,
});
const toCompacted = (change: JsonObject): JsonObject =>
  toLine('compacted', { message: 'A summary', replacement_history: [TYPED], ...change });
const withItem = (item: JsonValue): JsonObject =>
  toCompacted({ replacement_history: [TYPED, item] });
const withPath = (path: string): JsonObject =>
  toCompacted({
    resume_metadata: { turn_attribution: { turn_id: 'a', initiating_agent_path: path } },
  });

const ITEMS: readonly JsonObject[] = [
  ...[
    'ghost_snapshot',
    'unheard_of',
    'compaction',
    'compaction_summary',
    'context_compaction',
  ].flatMap((type) => [{ type }, { type, encrypted_content: 'x' }]),
  { type: 'function_call', name: 'x', arguments: '{}' },
  { type: 'function_call', name: 'x', arguments: '{}', call_id: 'c' },
  { type: 'function_call_output', call_id: 'c', output: 'x' },
  { ...TYPED, content: [{ type: 'input_text', text: 'half \ud83d' }] },
];

const CHOSEN: readonly JsonObject[] = [
  toCompacted({}),
  toCompacted({ message: 'half \ud83d' }),
  toCompacted({ replacement_history_metadata: [] }),
  toCompacted({ replacement_history_metadata: [{}] }),
  toCompacted({ window_id: -1 }),
  ...['/root', '/root/a', '/x', 'root'].map(withPath),
  ...ITEMS.flatMap((item) => [withItem(item), toLine('response_item', item)]),
  ...[null, 3, 'x', [], {}].map((payload) => toLine('compacted', payload)),
  ...['x', -1, 1.5, 1, 2, null].map((turns) =>
    toLine('event_msg', { type: 'thread_rolled_back', num_turns: turns }),
  ),
  toLine('session_meta', HEADER),
];

/** A recorded compaction, of one item. */
async function readCompacted(): Promise<JsonObject> {
  const text = await readFile(join(FIXTURES, 'compacted-manual.jsonl'), 'utf8');
  const line = text.split('\n').find((one) => one.includes('"type":"compacted"')) ?? '{}';
  const { payload } = JSON.parse(line) as { readonly payload: JsonObject };
  const [, note = null] = payload['replacement_history_metadata'] as readonly JsonValue[];
  return { ...payload, replacement_history: [TYPED], replacement_history_metadata: [note] };
}

/** A number for a type is taken for its place in a list; a provider that is not configured is not opened. */
const LEFT_OUT = /\[\{"type":3,|"model_provider":"x"/;

async function listLines(): Promise<readonly JsonObject[]> {
  const recorded = await readCompacted();
  const plain = { message: 'A summary', replacement_history: [TYPED] };
  const changed = [
    ...mutate(toCompacted({}), ['type'], 0),
    ...[...mutate(plain)].map((payload) => toLine('compacted', payload)),
    ...[...mutate(recorded, ['message', 'replacement_history'])].map((payload) =>
      toLine('compacted', payload),
    ),
    ...[...mutate(HEADER)].map((payload) => toLine('session_meta', payload)),
  ].filter((line) => !LEFT_OUT.test(JSON.stringify(line)));
  return [...CHOSEN, ...changed.filter((_, at) => at % STEP === 0)];
}

/** Writes a thread with a line between two prompts; its id and its path. */
async function writeThread(home: string, name: string, line: JsonObject, at: number) {
  const id = `01a20000-aaaa-7000-8000-${String(at).padStart(12, '0')}`;
  const text = await readFile(join(FIXTURES, `${name}.jsonl`), 'utf8');
  const head = text.trim().split('\n');
  const added = [line, toLine('response_item', AFTER)].map((one, index) => {
    const { timestamp, ...rest } = one;
    const ordinal = name === 'made-minimal-paginated' ? { ordinal: head.length + index } : {};
    return JSON.stringify({ ...('timestamp' in one && { timestamp }), ...ordinal, ...rest });
  });
  const path = join(home, getRecorded(name).place.replaceAll(ID, id));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${[...head, ...added].join('\n').replaceAll(ID, id)}\n`);
  return { id, path };
}

/** Without what the client adds, and its ids. */
function toPlain(items: readonly JsonObject[]): readonly JsonObject[] {
  const own = items.filter((item) => !ADDED.test(JSON.stringify(item)));
  return own.map(({ id: _id, ...item }) => item);
}

const ADDED = /<environment_context>|<model_switch>|You are a test assistant/;

async function send(server: AppServer, threadId: string) {
  try {
    await server.resume({ threadId });
    return toPlain(await server.probe(threadId));
  } catch (error) {
    if (error instanceof CodexError) return undefined;
    throw error;
  }
}

describe.concurrent('the client sends what we say of a thread with a line that it may skip', () => {
  it.each(['made-minimal-legacy', 'made-minimal-paginated'])('%s', async (name) => {
    const home = client.makeHome();
    const lines = await listLines();
    const threads = [];
    for (const [at, line] of lines.entries()) {
      threads.push({ line, ...(await writeThread(home, name, line, at)) });
    }
    const ours = new Map<string, readonly JsonObject[]>();
    for (const { id, path } of threads) {
      ours.set(id, toPlain((await readContext(path)).messages));
    }
    const server = await client.start(home);
    const differing = [];
    for (const { id, line } of threads) {
      const mine = ours.get(id);
      const theirs = await send(server, id);
      if (!isDeepStrictEqual(mine, theirs)) differing.push({ line, mine, theirs });
    }
    await server.stop();
    expect(differing).toEqual([]);
    expect(threads.length).toBeGreaterThan(60);
  });
});
