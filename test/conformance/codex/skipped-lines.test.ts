import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findLineFault,
  isHeaderRead,
} from '../../../src/session/agents/codex/entry/fields/line-fields.ts';
import {
  getObject,
  getString,
  isObject,
  type JsonObject,
} from '../../../src/session/jsonl/edit/json.ts';
import { mutate } from '../../schemas/mutate.ts';
import { FIXTURES, getRecorded, placeIn, RECORDED } from '../../session/agents/codex/corpus.ts';
import { Codex } from './client.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

/** The names of choices and paths: which of them the client knows, or can have, is not looked at. */
const CHOICES = [
  'approval_policy',
  'approvals_reviewer',
  'requested_approvals_reviewer',
  'mode',
  'collaboration_mode_kind',
  'multi_agent_version',
  'reasoning_summary',
  'summary',
  'reason',
  'source',
  'subagent',
  'status',
  'tool',
  'kind',
  'cwd',
  'path',
  'agent_path',
  'initiating_agent_path',
  'runtime_workspace_roots',
] as const;

/**
 * What is not looked at: names of types, which the client also takes as their places in a list, and what has
 * names of its own or differs between releases.
 */
const OPAQUE = [
  'type',
  'changes',
  'agents_states',
  'memory_citation',
  'parsed_cmd',
  'rate_limits',
  'sandbox_policy',
] as const;

const kindOf = (line: JsonObject): string => {
  const payload = getObject(line, 'payload') ?? {};
  const item = getObject(payload, 'item') ?? {};
  return [line, payload, item].map((one) => getString(one, 'type') ?? '').join(' ');
};

/** One recorded line of each kind and set of members. */
function listSamples(): readonly JsonObject[] {
  const samples = new Map<string, JsonObject>();
  for (const { name } of RECORDED.filter((one) => !one.name.startsWith('broken-'))) {
    for (const text of readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8')
      .trim()
      .split('\n')) {
      const { ordinal: _, ...line } = JSON.parse(text) as JsonObject;
      const payload = getObject(line, 'payload');
      // An early 0.40 wrote `sandbox_policy` in another form, which no newer release reads.
      if (!payload || JSON.stringify(payload['sandbox_policy'] ?? '').includes('"mode"')) continue;
      const members = [payload, getObject(payload, 'item') ?? {}].map((one) => Object.keys(one));
      samples.set(`${kindOf(line)} ${members.join('|')}`, line);
    }
  }
  return [...samples.values()];
}

/** A value is not looked at where it is another text for a choice. */
function isLeftOut(sample: JsonObject, changed: JsonObject): boolean {
  const difference = Object.entries(changed).find(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(sample[key]),
  );
  if (!difference) return keysOf(sample).some((key) => !(key in changed) && isOpaque(key));
  const [key, value] = difference;
  if (isOpaque(key)) return true;
  if (CHOICES.some((one) => one === key) && (value === 'x' || isText(value))) return true;
  const known = sample[key];
  if (isObject(known) && isObject(value)) return isLeftOut(known, value);
  const [one, other] = [first(known), first(value)];
  return isObject(one) && isObject(other) && isLeftOut(one, other);
}

const keysOf = (value: JsonObject): readonly string[] => Object.keys(value);
const isOpaque = (key: string): boolean => OPAQUE.some((one) => one === key);
const isText = (value: unknown): boolean => JSON.stringify(value) === '["x"]';
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

const MARK = /failed to parse rollout line: .*"MARK-(\d+)"/;

/** A line that the client does not read, and whose number it names in its log. */
const toMark = (at: number): JsonObject => ({
  timestamp: '2026-11-21T21:14:09.000Z',
  type: 'event_msg',
  payload: { type: 'thread_rolled_back', num_turns: `MARK-${at}` },
});

/** The places of those lines of which the log says, before their mark, that the client did not read them. */
function listUnread(log: string): readonly number[] {
  const [, ofOnePass = ''] = log.split('Resuming rollout from');
  const unread: number[] = [];
  let hasFailed = false;
  for (const entry of ofOnePass.split('\n')) {
    const mark = MARK.exec(entry)?.[1];
    if (mark !== undefined && hasFailed) unread.push(Number(mark));
    if (entry.includes('failed to parse rollout line')) hasFailed = mark === undefined;
  }
  return unread;
}

describe('the client skips the lines of every type that we say it skips', () => {
  it('whatever is wrong with a field', async () => {
    const variants = listSamples().flatMap((sample) => [
      sample,
      ...[...mutate(sample, OPAQUE, 4)].filter((one) => !isLeftOut(sample, one)),
    ]);
    const home = client.makeHome();
    const recorded = getRecorded('legacy-linear');
    const path = await placeIn(home, recorded);
    const head = readFileSync(path, 'utf8').split('\n').slice(0, 8);
    const lines = variants.flatMap((variant, at) => [variant, toMark(at)]);
    writeFileSync(path, `${[...head, ...lines.map((line) => JSON.stringify(line))].join('\n')}\n`);
    const server = await client.start(home, 'codex_rollout=trace');
    await server.resume({ threadId: String(recorded.resume['id']) });
    const unread = new Set(listUnread(await server.readLog()));
    await server.stop();
    const differing = variants.flatMap((variant, at) => {
      const payload = getObject(variant, 'payload');
      const isHeader = variant['type'] === 'session_meta' && payload !== undefined;
      const isRead = findLineFault(variant) === undefined && (!isHeader || isHeaderRead(payload));
      return isRead === unread.has(at) ? [{ isRead, variant }] : [];
    });
    expect(differing).toEqual([]);
    expect(variants.length).toBeGreaterThan(5000);
    expect(unread.size).toBeGreaterThan(3000);
  });
});
