import { takeSome } from '../harness/runs.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir } from '../temp-dir.ts';
import { ATIF_SCHEMA } from './atif-schema.ts';
import { type Json, parseLines, recorded } from './exported.ts';

/** All of them with more effort. */
const some = takeSome(recorded, 20);

/** Of recorded sessions, each that holds something to export so, by name. */
async function exportAll(as: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const dir = await makeTempDir();
  await runTest(['export', ...some, '--as', as, '--out', dir]);
  const names = readdirSync(dir).filter((name) => /^[^.].*\.jsonl?$/.test(name));
  return names.map((name) => [name, readFileSync(join(dir, name), 'utf8')]);
}

interface Step extends Json {
  readonly step_id: number;
  readonly tool_calls?: readonly { readonly tool_call_id: string }[];
  readonly observation?: { readonly results: readonly { readonly source_call_id?: string }[] };
}

describe('atif', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(ATIF_SCHEMA);

  it('is a trajectory by the schema, and its observations are of the same step', async () => {
    const texts = await exportAll('atif');
    expect(texts.length).toBeGreaterThan(some.length * 0.8);
    for (const [name, text] of texts) {
      const trajectory = JSON.parse(text) as Json & { steps: readonly Step[] };
      expect(validate(trajectory), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
      const ids = trajectory.steps.map(({ step_id }) => step_id);
      expect(ids).toEqual(trajectory.steps.map((_, index) => index + 1));
      expect(trajectory.steps.flatMap(findStrays), `in ${name}`).toEqual([]);
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

function findStrays({ tool_calls = [], observation }: Step): readonly unknown[] {
  const ids = new Set(tool_calls.map(({ tool_call_id }) => tool_call_id));
  const results = observation?.results ?? [];
  return results.filter(({ source_call_id }) => !ids.has(source_call_id ?? ''));
}

interface ChatMessage extends Json {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { id: string; function: { arguments: string } }[];
  readonly tool_call_id?: string;
}

const CHAT_KEYS = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'weight']);

/** What the API would refuse. */
function findChatFaults(messages: readonly ChatMessage[]): readonly string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    const { role, tool_calls: calls = [], tool_call_id: answers } = message;
    faults.push(...Object.keys(message).filter((key) => !CHAT_KEYS.has(key)));
    if (role === 'tool') {
      if (!open.includes(answers ?? '')) faults.push(`${answers} answers nothing`);
      if (typeof message.content !== 'string') faults.push('a tool says no string');
      open = open.filter((id) => id !== answers);
      continue;
    }
    if (open.length > 0) faults.push(`${open.join()} before ${role}: not answered`);
    open = calls.map(({ id }) => id);
    for (const call of calls) {
      if (typeof JSON.parse(call.function.arguments) !== 'object') faults.push('no arguments');
    }
  }
  return open.length > 0 ? [...faults, `${open.join()}: not answered`] : faults;
}

describe('chat', () => {
  it('answers every call and no other', async () => {
    const texts = await exportAll('chat');
    expect(texts.length).toBeGreaterThan(some.length * 0.8);
    let calls = 0;
    for (const [name, text] of texts) {
      const [line, ...others] = parseLines(text);
      expect(others).toEqual([]);
      const { messages, ...rest } = line as { messages: readonly ChatMessage[] };
      expect(Object.keys(rest).filter((key) => key !== 'tools')).toEqual([]);
      expect(findChatFaults(messages), `in ${name}`).toEqual([]);
      calls += messages.filter(({ role }) => role === 'tool').length;
    }
    expect(calls).toBeGreaterThanOrEqual(some.length / 2);
  });

  it('is checked by something that finds faults', () => {
    const call = { id: 'a', function: { arguments: '{}' } };
    const answer = { role: 'assistant', content: null, tool_calls: [call] };
    expect(findChatFaults([answer])).toEqual(['a: not answered']);
    expect(findChatFaults([{ role: 'tool', tool_call_id: 'b', content: '' }])).toHaveLength(1);
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
  it('has a session line, and messages of the shape', async () => {
    for (const [name, text] of await exportAll('sts')) {
      const [session, ...lines] = parseLines(text);
      expect(session).toMatchObject({ type: 'session', harness: 'pi', id: expect.any(String) });
      const messages = lines as unknown as readonly { type: string; message: Json }[];
      expect(messages.filter(({ type }) => type !== 'message')).toEqual([]);
      for (const { message } of messages) {
        expect(typeof message['content'], `in ${name}`).toBe('string');
        expect(['user', 'assistant', 'system', 'tool']).toContain(message['role']);
        expect(Object.keys(message).filter((key) => !STS_KEYS.has(key))).toEqual([]);
        const calls = (message['toolCalls'] ?? []) as readonly { function: Json }[];
        expect(calls.filter((call) => typeof call.function['arguments'] !== 'string')).toEqual([]);
      }
    }
  });
});
