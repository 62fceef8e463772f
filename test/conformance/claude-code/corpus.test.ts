import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { ClaudeCode } from './client.ts';
import { type Corpus, CORPUS } from './corpus.ts';
import type { Sent } from './sent.ts';

let client: ClaudeCode;

beforeAll(() => {
  client = new ClaudeCode();
});
afterAll(() => client.close());

/** The corpus has texts up to here. */
const CUT_AT = 2000;

function cutTexts(value: unknown): unknown {
  const cut = (_: string, inner: unknown): unknown =>
    typeof inner === 'string' ? inner.slice(0, CUT_AT) : inner;
  return JSON.parse(JSON.stringify(value, cut));
}

function readExpected({ expectedPath }: Corpus) {
  const { exit, leafUuid, messages } = JSON.parse(readFileSync(expectedPath, 'utf8')) as {
    readonly exit: number;
    readonly leafUuid: string;
    readonly messages: readonly (Sent & { readonly blocks: readonly JsonObject[] })[];
  };
  const sent = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, blocks }) => ({
      role,
      blocks: blocks.filter(({ type }) => type !== 'reminder'),
    }));
  return { exit, leafUuid, sent };
}

describe.concurrent('the client does with the corpus what it did when that was recorded', () => {
  it.each(CORPUS)('$name', async (recorded) => {
    const { exit, leafUuid, sent, keepsBytes } = await client.resume(recorded.path);
    expect({ exit, leafUuid, sent: cutTexts(sent) }).toEqual(readExpected(recorded));
    expect(keepsBytes).toBe(true);
  });
});
