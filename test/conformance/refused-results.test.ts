import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../../src/session/jsonl/edit/json.ts';
import { fixSession } from '../../src/session/validate/fix-session.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { makeTempDir } from '../temp-dir.ts';
import { type Json, Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

const REFUSED = fileURLToPath(new URL('../fixtures/refused', import.meta.url));
const LEVELS = { levels: new Map() };
const RULE = 'tool-result-orphan';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** Where a provider finds a result that it refuses: beside the calls of the answer before it. */
function findRefused(sent: readonly Json[]): readonly Json[] {
  let open = new Set<unknown>();
  return sent.filter((message) => {
    if (!isObject(message)) return false;
    if (message['role'] === 'toolResult') return !open.delete(message['toolCallId']);
    const { content } = message;
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    open = new Set(blocks.flatMap(({ type, id }) => (type === 'toolCall' ? [id] : [])));
    return false;
  });
}

async function findByRule(path: string): Promise<readonly number[]> {
  const validation = await validateSession(path, LEVELS);
  const found = validation?.findings.filter(({ rule }) => rule === RULE) ?? [];
  return found.map(({ line }) => line);
}

const made = readdirSync(REFUSED)
  .filter((name) => name.startsWith('pi-'))
  .map((name) => join(REFUSED, name));

describe('the model refuses what validate says it refuses', () => {
  it.each([...made, ...findSessionFiles()].map((path) => [basename(path), path]))(
    '%s',
    async (_, path) => {
      const refused = findRefused(await reference.ask({ ask: 'sent', path }));
      expect(await findByRule(path)).toHaveLength(refused.length);
    },
  );
});

/** In it the result stays in the file: another branch needs it. */
const NEEDED = 'pi-needed-elsewhere.jsonl';
/** In these something stands in for the last entry. */
const AT_LEAF: ReadonlySet<string> = new Set(['pi-at-the-leaf.jsonl', 'pi-lost-parents.jsonl']);

describe('validate --fix takes those messages out of the context, and no other', () => {
  it.each(made.map((path) => [basename(path), path] as const))('%s', async (name, path) => {
    const copy = join(await makeTempDir(), name);
    copyFileSync(path, copy);
    const before = await reference.ask({ ask: 'session', path: copy });
    const lines = readFileSync(copy, 'utf8').split('\n');
    const refused = (await findByRule(copy)).map((line) => lines[line - 1] ?? '');
    const taken = refused.map((line) => JSON.parse(line).id);

    await fixSession(copy, { ...LEVELS, dryRun: false, now: () => 0 });
    const after = await reference.ask({ ask: 'session', path: copy });
    expect(findRefused(await reference.ask({ ask: 'sent', path: copy }))).toEqual([]);
    expect(await findByRule(copy)).toEqual([]);
    const messages = refused.map((line) => JSON.parse(line).message.toolCallId);
    expect(after.context.messages).toEqual(withoutResults(before.context.messages, messages));
    const kept = before.branch.filter(
      (id) => name === NEEDED || AT_LEAF.has(name) || !isTaken(id, taken, lines),
    );
    expect(after.branch).toEqual(kept);
  });
});

/** The last of the results of these calls: of two, the first is the one that counts. */
function withoutResults(messages: readonly Json[], callIds: readonly unknown[]): readonly Json[] {
  const left = [...callIds];
  return messages
    .toReversed()
    .filter((message) => {
      const callId = isObject(message) && message['role'] === 'toolResult' && message['toolCallId'];
      const at = left.indexOf(callId);
      if (callId === false || at === -1) return true;
      left.splice(at, 1);
      return false;
    })
    .toReversed();
}

/** A result that is refused, or a mark on one. */
function isTaken(id: string, taken: readonly string[], lines: readonly string[]): boolean {
  const line = lines.find((one) => one.includes(`"id":"${id}"`)) ?? '{}';
  return taken.includes(id) || taken.includes(JSON.parse(line).targetId);
}
