import type { JsonObject, JsonValue } from '../../../../src/session/jsonl/edit/json.ts';

export const SESSION_ID = '0a1b2c3d';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const IMAGE = 'data:image/png;base64,iVBORw0KGgo=';

/** A session as 0.17.1 writes one: settings, a tool, an image, a branch, a summary, backups. */
const MESSAGES: readonly JsonObject[] = [
  { uuid: 'ask', parentUuid: null, role: 'user', content: 'Tidy up' },
  {
    uuid: 'call',
    parentUuid: 'ask',
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Look first.' },
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 't1', name: 'ls', input: { dir_path: '.' } },
      { type: 'tool_use', id: 't2', name: 'read', input: { file_path: 'a.png' } },
    ],
    text: 'Looking.',
    model: 'anthropic/claude',
    usage: { input_tokens: 1000, output_tokens: 50 },
  },
  {
    uuid: 'results',
    parentUuid: 'call',
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 't1',
        toolName: 'ls',
        input: {},
        result: { llmContent: 'a' },
      },
      {
        type: 'tool-result',
        toolCallId: 't2',
        toolName: 'read',
        input: {},
        result: { llmContent: [{ type: 'image', data: IMAGE, mimeType: 'image/png' }] },
      },
    ],
  },
  {
    uuid: 'left',
    parentUuid: 'results',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
    model: 'anthropic/claude',
  },
  {
    uuid: 'again',
    parentUuid: 'results',
    role: 'user',
    content: [{ type: 'text', text: 'And b?' }],
  },
  { uuid: 'done', parentUuid: 'again', role: 'assistant', content: 'Done, too.' },
  {
    uuid: 'summary',
    parentUuid: null,
    role: 'user',
    content: [{ type: 'text', text: 'They tidied up.' }],
    uiContent: 'Chat history compacted successfully.',
  },
  { uuid: 'next', parentUuid: 'summary', role: 'user', content: 'What now?' },
  {
    uuid: 'old',
    parentUuid: 'next',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'o1', name: 'ls', input: {} }],
  },
  {
    uuid: 'oldResult',
    parentUuid: 'old',
    role: 'user',
    content: [
      { type: 'tool_result', id: 'o1', name: 'ls', input: {}, result: { llmContent: 'b' } },
    ],
  },
  {
    uuid: 'last',
    parentUuid: 'oldResult',
    role: 'assistant',
    content: [{ type: 'text', text: 'Nothing.' }],
  },
];

const CONFIG = {
  type: 'config',
  config: { approvalMode: 'default', approvalTools: [], summary: 'Tidy' },
};
const ASIDE: readonly JsonObject[] = [
  {
    type: 'snapshot',
    messageId: 'last',
    timestamp: '2026-11-20T11:00:00.000Z',
    trackedFileBackups: {},
  },
  { type: 'custom-title', customTitle: 'Tidying', sessionId: SESSION_ID },
];

export function toMessage(message: JsonObject, index: number): JsonObject {
  const timestamp = new Date(START + index * 1000).toISOString();
  return { ...message, type: 'message', timestamp, sessionId: SESSION_ID };
}

export function buildHealthy(): readonly JsonObject[] {
  return [CONFIG, ...MESSAGES.map(toMessage), ...ASIDE];
}

export function toText(lines: readonly JsonValue[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** 1-based, of the message with this uuid. */
export function lineOf(uuid: string): number {
  return buildHealthy().findIndex((line) => line['uuid'] === uuid) + 1;
}

/** The healthy session with other fields in one message; undefined takes one out. */
export function withFields(uuid: string, fields: JsonObject): string {
  return toText(
    buildHealthy().map((line) => (line['uuid'] === uuid ? { ...line, ...fields } : line)),
  );
}

/** The healthy session with text put before a line, by its number. */
export function withTextBefore(line: number, text: string): string {
  const lines = buildHealthy();
  return toText(lines.slice(0, line - 1)) + text + toText(lines.slice(line - 1));
}

/** The healthy session with these lines at its end. */
export function withLines(...lines: readonly JsonValue[]): string {
  return toText([...buildHealthy(), ...lines]);
}
