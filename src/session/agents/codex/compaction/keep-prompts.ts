import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { takeBytes } from '../../../model/text/cut-text.ts';
import { getContent, getText, PASSTHROUGH } from '../entry/typed.ts';

/** Bytes of a token, as the client reckons. */
const BYTES_PER_TOKEN = 3;

/**
 * Keeps prompts as the client does: as text without images, the newest first, as many as fit into that many
 * tokens, the oldest of those cut; oldest first.
 */
export function keepPrompts(prompts: readonly JsonObject[], tokens: number): readonly JsonObject[] {
  const kept: JsonObject[] = [];
  let left = tokens * BYTES_PER_TOKEN;
  for (const prompt of prompts.toReversed()) {
    const text = getText(prompt);
    const size = Buffer.byteLength(text);
    if (size === 0) continue;
    const whole = getContent(prompt).some(({ type }) => type !== 'input_text')
      ? toPrompt(text, prompt)
      : prompt;
    if (size > left) {
      const cut = takeBytes(text, left);
      if (cut !== '') kept.unshift(toPrompt(cut, prompt));
      break;
    }
    left -= size;
    kept.unshift(whole);
  }
  return kept;
}

function toPrompt(text: string, { id }: JsonObject): JsonObject {
  return {
    type: 'message',
    ...(id !== undefined && { id }),
    role: 'user',
    content: [{ type: 'input_text', text }],
    [PASSTHROUGH]: {
      content_item_kinds: ['user.text'],
      content_item_metadata: [{ provenance: { type: 'user' } }],
    },
  };
}
