import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getString, isObject, type JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { findLineFault } from '../../../src/session/agents/codex/entry/fields/line-fields.ts';
import { mutate } from '../../schemas/mutate.ts';
import { FIXTURES, getRecorded, placeIn, RECORDED } from '../../session/agents/codex/corpus.ts';
import { Codex } from './client.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

const toItem = (payload: JsonObject): JsonObject => ({
  timestamp: '2026-11-21T21:14:09.000Z',
  type: 'response_item',
  payload,
});
const says = (text: string): JsonObject =>
  toItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });

/** The calls whose outputs are sent, by the type of the output. */
const CALLS: ReadonlyMap<unknown, JsonObject> = new Map([
  ['function_call_output', { type: 'function_call', name: 'x', arguments: '{}' }],
  ['custom_tool_call_output', { type: 'custom_tool_call', name: 'x', input: '' }],
]);

/** What is not looked at: the client takes a list for an object of as many fields, and an unknown type for nothing. */
const OPAQUE = [
  'type',
  'metadata',
  'internal_chat_message_metadata_passthrough',
  'annotations',
  'timeout_ms',
  'working_directory',
  'env',
  'user',
  'query',
  'queries',
] as const;

/** One recorded item of each type and form. */
function listSamples(): readonly JsonObject[] {
  const samples = new Map<string, JsonObject>();
  for (const { name } of RECORDED) {
    for (const line of readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8').split('\n')) {
      if (!line.startsWith('{"timestamp"') || !line.includes('"type":"response_item"')) continue;
      try {
        const payload = (JSON.parse(line) as JsonObject)['payload'] as JsonObject;
        const first = [payload['content'], payload['output']].flat().find((one) => isObject(one));
        const form = isObject(first) ? (getString(first, 'type') ?? '') : '';
        const kind = `${getString(payload, 'type')} ${form}`;
        if (!samples.has(kind)) samples.set(kind, payload);
      } catch {
        // Damaged on purpose.
      }
    }
  }
  return [...samples.values()].filter(({ type }) => type !== 'tool_search_output');
}

/** Every field of an item removed and changed, and those of what it holds. */
function listVariants(): readonly JsonObject[] {
  return listSamples().flatMap((sample) => [sample, ...change(sample)]);
}

function* change(value: JsonObject, depth = 2): Generator<JsonObject> {
  const { type } = value;
  const opaque = Object.fromEntries(OPAQUE.map((key) => [key, value[key]]));
  for (const changed of mutate(value, [...OPAQUE], 0))
    yield { ...changed, ...opaque, ...(type !== undefined && { type }) };
  if (depth === 0) return;
  for (const [key, held] of Object.entries(value)) {
    if (OPAQUE.some((one) => one === key)) continue;
    if (isObject(held)) {
      for (const changed of change(held, depth - 1)) yield { ...value, [key]: changed };
    } else if (Array.isArray(held) && isObject(held[0])) {
      for (const changed of change(held[0], depth - 1)) yield { ...value, [key]: [changed] };
    }
  }
}

describe('the client skips the lines of items that we say it skips', () => {
  it('whatever is wrong with a field', async () => {
    const home = client.makeHome();
    const recorded = getRecorded('legacy-linear');
    const path = await placeIn(home, recorded);
    const head = readFileSync(path, 'utf8').split('\n').slice(0, 8);
    const variants = listVariants();
    const lines = variants.flatMap((variant, at) => {
      const hasId = typeof variant['call_id'] === 'string';
      const item = hasId ? { ...variant, call_id: `call-${at}` } : variant;
      const call = hasId ? CALLS.get(variant['type']) : undefined;
      const asked = call ? [toItem({ ...call, call_id: `call-${at}` })] : [];
      return [says(`MARK-${at}.`), ...asked, toItem(item)];
    });
    writeFileSync(path, `${[...head, ...lines.map((line) => JSON.stringify(line))].join('\n')}\n`);
    const server = await client.start(home);
    const threadId = String(recorded.resume['id']);
    await server.resume({ threadId });
    const sent = await server.probe(threadId);
    await server.stop();
    const read = new Set<number>();
    let at = -1;
    for (const item of sent) {
      const mark = /"MARK-(\d+)\."/.exec(JSON.stringify(item))?.[1];
      if (mark !== undefined) at = Number(mark);
      else if (isOf(variants[at], item)) read.add(at);
    }
    const compared = variants.flatMap((variant, index) => {
      // Without the id of its call, an output is not sent in any case.
      if (CALLS.has(variant['type']) && typeof variant['call_id'] !== 'string') return [];
      const ours = findLineFault(toItem(variant)) === undefined;
      return ours === read.has(index) ? [] : [{ variant, isRead: !ours }];
    });
    expect(variants.length).toBeGreaterThan(300);
    expect(compared).toEqual([]);
  });
});

/** Not an answer that the client made up, or the call before an output. */
function isOf(variant: JsonObject | undefined, item: JsonObject): boolean {
  return variant?.['type'] === item['type'] && item['output'] !== 'aborted';
}
