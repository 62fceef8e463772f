import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../../src/session/jsonl/edit/json.ts';

export const SESSION_ID = '5e551011-0000-4000-8000-000000000001';
const CWD = '/home/u/demo';
const BEGIN = Date.UTC(2026, 10, 20, 10);
const MODEL = 'claude-opus-5-5';

/** Where Claude Code keeps the session below a directory that stands for its own. */
export function toSessionPath(config: string): string {
  return join(config, 'projects/-home-u-demo', `${SESSION_ID}.jsonl`);
}

/** A line of the tree, so many seconds after the beginning. */
export function toNode(
  uuid: string,
  parentUuid: string | null,
  seconds: number,
  more: JsonObject,
): JsonObject {
  const timestamp = new Date(BEGIN + 1000 * seconds).toISOString();
  const envelope = { userType: 'external', entrypoint: 'cli', cwd: CWD, version: '2.1.332' };
  const place = { parentUuid, isSidechain: false, uuid, timestamp, sessionId: SESSION_ID };
  return { ...place, ...envelope, ...more };
}

export function user(content: JsonValue, more: JsonObject = {}): JsonObject {
  return { type: 'user', message: { role: 'user', content }, ...more };
}

export function assistant(id: string, block: JsonObject, model = MODEL): JsonObject {
  const message = { id, type: 'message', role: 'assistant', model, content: [block] };
  return { type: 'assistant', requestId: `req_${id}`, message };
}

export const text = (words: string): JsonObject => ({ type: 'text', text: words });
export const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' };
export const call = (id: string): JsonObject => ({
  type: 'tool_use',
  id,
  name: 'Bash',
  input: { command: 'ls' },
});
export const result = (id: string, content: JsonValue = 'a.ts'): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
});

export const boundary = (compactMetadata: JsonObject = {}): JsonObject => ({
  type: 'system',
  subtype: 'compact_boundary',
  content: 'Conversation compacted',
  compactMetadata: { trigger: 'manual', preTokens: 9000, ...compactMetadata },
});
export const summary = user('This session is being continued.', { isCompactSummary: true });

/** The entry on line n has the uuid `n<n>`. */
export const HEALTHY: readonly JsonObject[] = [
  toNode('n1', null, 1, user('Tidy up the module, please.')),
  toNode('n2', 'n1', 2, assistant('msg_1', thinking)),
  toNode('n3', 'n2', 3, assistant('msg_1', text('Looking.'))),
  toNode('n4', 'n3', 4, assistant('msg_1', call('c1'))),
  toNode('n5', 'n4', 5, user([result('c1')], { toolUseResult: { stdout: 'a.ts' } })),
  toNode('n6', 'n5', 6, {
    type: 'attachment',
    attachment: { type: 'queued_command', prompt: 'And test it.', commandMode: 'prompt' },
  }),
  toNode('n7', 'n6', 7, assistant('msg_2', text('Done.'))),
  { type: 'last-prompt', lastPrompt: 'And test it.', leafUuid: 'n7', sessionId: SESSION_ID },
  { type: 'custom-title', customTitle: 'Tidying', sessionId: SESSION_ID },
];

export function toText(lines: readonly JsonValue[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The healthy session with other fields on one line; one that is undefined is left out. */
export function withFields(line: number, fields: JsonObject): string {
  return toText(HEALTHY.with(line - 1, { ...HEALTHY[line - 1], ...fields }));
}

/** The healthy session and more lines. */
export function withMore(...lines: readonly JsonValue[]): string {
  return toText([...HEALTHY, ...lines]);
}

/** The healthy session without some of its lines. */
export function without(...lines: readonly number[]): string {
  return toText(HEALTHY.filter((_, index) => !lines.includes(index + 1)));
}
