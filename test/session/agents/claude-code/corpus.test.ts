import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toSent } from '../../../../src/session/agents/claude-code/context/to-sent.ts';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { buildTree } from '../../../../src/session/model/tree/tree.ts';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { toContext } from '../../../conformance/claude-code/sent.ts';

const CORPUS = fileURLToPath(new URL('../../../fixtures/claude-code', import.meta.url));
const names = readdirSync(CORPUS)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => basename(name, '.jsonl'));

/** The corpus has texts up to here. */
const CUT_AT = 2000;

function readExpected(name: string) {
  const text = readFileSync(join(CORPUS, `${name}.expected.json`), 'utf8');
  const { leafUuid, prompt, messages } = JSON.parse(text) as {
    readonly leafUuid: string;
    readonly prompt: string;
    readonly messages: readonly { readonly role: string; readonly blocks: readonly JsonObject[] }[];
  };
  const sent = messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, blocks }) => ({
      role,
      blocks: blocks.filter(({ type }) => type !== 'reminder'),
    }));
  return { leafUuid, messages: toContext(sent, prompt) };
}

function cutTexts(value: unknown): unknown {
  const cut = (_: string, inner: unknown): unknown =>
    typeof inner === 'string' ? inner.slice(0, CUT_AT) : inner;
  return JSON.parse(JSON.stringify(value, cut));
}

describe('goes on as the client does', () => {
  it.each(names)('%s', async (name) => {
    const path = join(CORPUS, `${name}.jsonl`);
    const { session } = await readSession(path);
    const expected = readExpected(name);
    expect(buildTree(session.entries, session).leaf?.id).toBe(expected.leafUuid);
    const { messages } = await readContext(path);
    expect(cutTexts(toSent(messages))).toEqual(cutTexts(expected.messages));
  });
});
