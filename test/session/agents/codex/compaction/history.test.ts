import { expect, it } from 'vitest';
import { readHistory } from '../../../../../src/session/agents/codex/compaction/history.ts';
import { toEntry } from '../../../../../src/session/agents/codex/entry/to-entry.ts';
import { getString, type JsonObject } from '../../../../../src/session/jsonl/edit/json.ts';

const say = (id: string, text: string, kinds?: readonly string[]): JsonObject => ({
  type: 'message',
  id,
  role: 'user',
  content: [{ type: 'input_text', text }],
  ...(kinds && { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } }),
});
const ASKED = say('asked', 'Look at it', ['user.text']);
const FOUND = say('found', '<user_action>\n  <action>review</action>\n</user_action>', ['unknown']);
const FOUND_BEFORE = say(
  'found-before',
  '<user_action>\n  <action>review</action>\n</user_action>',
);
const HOOK = say('hook', '<hook_prompt hook_run_id="stop:1">Go on</hook_prompt>', ['unknown']);
const HOOK_BEFORE = say('hook-before', '<hook_prompt hook_run_id="stop:1">Go on</hook_prompt>');
const ITEMS = [ASKED, HOOK, FOUND, HOOK_BEFORE, FOUND_BEFORE];

async function listKept(lines: readonly JsonObject[]): Promise<readonly unknown[]> {
  const path = lines.map((line, at) => toEntry(line, { line: at, offset: at, length: 1 }, 1));
  const { prompts } = await readHistory(path, ({ line }) => Promise.resolve(lines[line] ?? {}));
  return prompts.map((prompt) => getString(prompt, 'id'));
}

it('a compaction of Codex keeps prompts and what reviews have found, and no prompts of hooks', async () => {
  const line = { timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item' };
  const said = ITEMS.map((payload) => ({ ...line, payload }));
  expect(await listKept(said)).toEqual(['asked', 'found', 'found-before']);
  const payload = { message: 'A summary', replacement_history: ITEMS };
  const compacted = { ...line, type: 'compacted', payload };
  expect(await listKept([compacted])).toEqual(['asked', 'found', 'found-before']);
});

it.each([
  ['half of a surrogate pair', say('half', 'Look \ud83d')],
  ['a field of the wrong type', { ...say('fault', 'Look'), content: 'Look' }],
])(
  'a compaction of Codex keeps no prompt with %s, since Codex skips its line',
  async (_, payload) => {
    const line = { timestamp: '2026-03-01T10:00:00.000Z', type: 'response_item' };
    expect(
      await listKept([
        { ...line, payload },
        { ...line, payload: ASKED },
      ]),
    ).toEqual(['asked']);
  },
);
