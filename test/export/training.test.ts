import { basename } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { ATIF_SCHEMA } from './atif-schema.ts';
import { exportText, type Json, parseLines, recorded } from './exported.ts';

const cases = recorded.map((path) => [basename(path), path] as const);

interface Step extends Json {
  readonly step_id: number;
  readonly tool_calls?: readonly { readonly tool_call_id: string }[];
  readonly observation?: { readonly results: readonly { readonly source_call_id?: string }[] };
}

describe('atif', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(ATIF_SCHEMA);

  it.each(cases)('is a trajectory by the schema: %s', async (_name, path) => {
    const text = await exportText(path, 'atif');
    if (text === undefined) return expectNothingToTrain(path);
    const trajectory = JSON.parse(text) as Json & { steps: readonly Step[] };
    validate(trajectory);
    expect(validate.errors).toBeNull();
    expect(trajectory.steps.map(({ step_id }) => step_id)).toEqual(
      trajectory.steps.map((_, index) => index + 1),
    );
    for (const { tool_calls = [], observation } of trajectory.steps) {
      const ids = tool_calls.map(({ tool_call_id }) => tool_call_id);
      for (const { source_call_id } of observation?.results ?? []) {
        expect(ids).toContain(source_call_id);
      }
    }
  });

  it('refuses what the schema does not know', () => {
    const step = { step_id: 1, source: 'user', message: 'x' };
    const trajectory = {
      schema_version: 'ATIF-v1.7',
      agent: { name: 'pi', version: '1' },
      steps: [step],
    };
    expect(validate(trajectory)).toBe(true);
    expect(validate({ ...trajectory, steps: [{ ...step, model_name: 'x' }] })).toBe(false);
    expect(validate({ ...trajectory, steps: [] })).toBe(false);
    expect(validate({ ...trajectory, more: 1 })).toBe(false);
  });
});

interface ChatMessage extends Json {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { id: string; function: { arguments: unknown } }[];
  readonly tool_call_id?: string;
}

const CHAT_KEYS = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'weight']);

/** Sessions without a whole answer give no line to train on. */
function expectNothingToTrain(path: string): void {
  expect(path).toMatch(/keeps-nothing|names|interrupted/);
}

/** Every call is answered, in order, before anyone else speaks. */
function expectAnswers(messages: readonly ChatMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    expect(Object.keys(message).filter((key) => !CHAT_KEYS.has(key))).toEqual([]);
    expect(['system', 'user', 'assistant', 'tool']).toContain(message.role);
    if (message.role === 'tool') {
      expect(open).toContain(message.tool_call_id);
      open = open.filter((id) => id !== message.tool_call_id);
      expect(typeof message.content).toBe('string');
      continue;
    }
    expect(open).toEqual([]);
    open = (message.tool_calls ?? []).map(({ id }) => id);
    for (const call of message.tool_calls ?? []) {
      expect(typeof JSON.parse(call.function.arguments as string)).toBe('object');
    }
  }
  expect(open).toEqual([]);
}

describe('chat', () => {
  it.each(cases)('answers every call and no other: %s', async (_name, path) => {
    const text = await exportText(path, 'chat');
    if (text === undefined) return expectNothingToTrain(path);
    const lines = parseLines(text) as readonly { messages: readonly ChatMessage[] }[];
    expect(lines).toHaveLength(1);
    const [{ messages, ...rest }] = lines as [{ messages: readonly ChatMessage[] }];
    expect(Object.keys(rest).filter((key) => key !== 'tools')).toEqual([]);
    expectAnswers(messages);
  });
});

const STS_KEYS = new Set([
  'role',
  'content',
  'reasoningContent',
  'toolCalls',
  'toolCallId',
  'timestamp',
  'model',
]);

describe('sts', () => {
  it.each(cases)('has a session line and messages: %s', async (_name, path) => {
    const [session, ...lines] = parseLines((await exportText(path, 'sts')) ?? '');
    const messages = lines as unknown as readonly { type: string; message: Json }[];
    expect(session).toMatchObject({ type: 'session', harness: 'pi', id: expect.any(String) });
    for (const { type, message } of messages) {
      expect(type).toBe('message');
      expect(typeof message['content']).toBe('string');
      expect(['user', 'assistant', 'system', 'tool']).toContain(message['role']);
      expect(Object.keys(message).filter((key) => !STS_KEYS.has(key))).toEqual([]);
      for (const call of (message['toolCalls'] ?? []) as { function: Json }[]) {
        expect(typeof call.function['arguments']).toBe('string');
      }
    }
  });
});
