import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import { makeTempDir } from '../../temp-dir.ts';

const START = Date.UTC(2026, 2, 1, 10);
const CWD = '/work/api';
const ID = '01991b6a-0000-7000-8000-000000000001';

const usage = {
  input: 10,
  output: 5,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 15,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const text = (words: string): JsonObject => ({ type: 'text', text: words });
const answer = (...content: JsonObject[]): JsonObject => ({
  role: 'assistant',
  content,
  api: 'anthropic-messages',
  provider: 'anthropic',
  model: 'claude',
  usage,
  stopReason: 'stop',
  timestamp: START,
});
const call = (id: string): JsonObject => ({
  type: 'toolCall',
  id,
  name: 'bash',
  arguments: { command: 'ls' },
});
const result = (id: string): JsonObject => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: 'bash',
  content: [text('a.ts')],
  isError: false,
  timestamp: START,
});

/** What stands on each line, so that a test can name it; the id of the entry is `e<line>`. */
const LINES = {
  model: { type: 'model_change', provider: 'anthropic', modelId: 'claude' },
  thinking: { type: 'thinking_level_change', thinkingLevel: 'high' },
  system: {
    type: 'message',
    message: {
      role: 'system',
      content: 'Be brief.',
      sections: { rules: 'x' },
      toolsAdded: [],
      timestamp: START,
    },
  },
  user: {
    type: 'message',
    message: { role: 'user', content: 'Tidy up the module, please.', timestamp: START },
  },
  call: {
    type: 'message',
    message: answer({ type: 'thinking', thinking: 'hm' }, text('Looking.'), call('call_1')),
  },
  result: { type: 'message', message: result('call_1') },
  bash: {
    type: 'message',
    message: {
      role: 'bashExecution',
      command: 'ls',
      output: 'a.ts',
      exitCode: 0,
      cancelled: false,
      truncated: false,
      timestamp: START,
    },
  },
  abandoned: { type: 'message', message: answer(text('One way.')) },
  summary: { type: 'branch_summary', parentId: 'e8', fromId: 'e9', summary: 'Tried one way.' },
  custom: { type: 'custom', customType: 'todo', data: { open: 3 } },
  customMessage: {
    type: 'custom_message',
    customType: 'hint',
    content: [text('Remember.')],
    display: true,
  },
  kept: {
    type: 'message',
    message: {
      role: 'user',
      content: [text('Go on.'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }],
      timestamp: START,
    },
  },
  compaction: {
    type: 'compaction',
    summary: 'Tidied up.',
    firstKeptEntryId: 'e13',
    tokensBefore: 1000,
  },
  secondCall: { type: 'message', message: answer(call('call_2')) },
  secondResult: { type: 'message', message: result('call_2') },
  edit: { type: 'context_edit', targetId: 'e13', replacement: { content: [text('Go on then.')] } },
  label: { type: 'label', targetId: 'e5', label: 'start' },
  usage: { type: 'usage', kind: 'cache_warm', provider: 'anthropic', model: 'claude', usage },
  name: { type: 'session_info', name: 'Tidy up' },
  last: { type: 'message', message: answer(text('Done.')) },
} satisfies { readonly [name: string]: JsonObject };

export type LineName = 'header' | keyof typeof LINES;

const NAMES: readonly LineName[] = [
  'header',
  'model',
  'thinking',
  'system',
  'user',
  'call',
  'result',
  'bash',
  'abandoned',
  'summary',
  'custom',
  'customMessage',
  'kept',
  'compaction',
  'secondCall',
  'secondResult',
  'edit',
  'label',
  'usage',
  'name',
  'last',
];

/** 1-based. */
export function lineOf(name: LineName): number {
  return NAMES.indexOf(name) + 1;
}

function timeOf(line: number): string {
  return new Date(START + line * 1000).toISOString();
}

/** A v3 session with an entry of every kind, of which no rule says anything. */
export function buildSession(): JsonObject[] {
  const header = { type: 'session', version: 3, id: ID, timestamp: timeOf(1), cwd: CWD };
  const entries = Object.values(LINES).map((fields: JsonObject, index): JsonObject => {
    const line = index + 2;
    const parentId = line === 2 ? null : `e${line - 1}`;
    const { type = '', ...rest } = fields;
    return { type, id: `e${line}`, parentId, timestamp: timeOf(line), ...rest };
  });
  return [header, ...entries];
}

/** A v1 session: no version, no ids, and a compaction that counts lines. */
export function buildOldSession(): JsonObject[] {
  const header = { type: 'session', id: ID, timestamp: timeOf(1), cwd: CWD, provider: 'anthropic' };
  const user = (line: number): JsonObject => ({
    type: 'message',
    timestamp: timeOf(line),
    message: { role: 'user', content: `Message ${line}`, timestamp: START },
  });
  const compaction = {
    type: 'compaction',
    timestamp: timeOf(5),
    summary: 'So far.',
    firstKeptEntryIndex: 2,
    tokensBefore: 10,
  };
  return [header, user(2), user(3), user(4), compaction, user(6)];
}

export function toText(records: readonly JsonValue[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** Writes a session, if nothing else is said where pi would keep it; the path. */
export async function writeSession(
  content: string | Buffer,
  { directory = '--work-api--', name = `${timeOf(1).replace(/[:.]/g, '-')}_${ID}.jsonl` } = {},
): Promise<string> {
  const path = join(await makeTempDir(), directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}
