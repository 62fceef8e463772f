import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import { type SentBlock, type SentMessage, toSentImage } from '../../../model/text/sent-message.ts';

/** Messages of the provider in the shape that every agent's have. */
export function toSent(messages: readonly JsonObject[]): readonly SentMessage[] {
  return messages.map((message) => ({
    role: getString(message, 'role') ?? '',
    blocks: toObjects(message['content']).map(toSentBlock),
  }));
}

function toObjects(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return isArray(content) ? content.filter(isObject) : [];
}

function toSentBlock(block: JsonObject): SentBlock {
  const field = (key: string): string => getString(block, key) ?? '';
  switch (block['type']) {
    case 'thinking':
      return { type: 'thinking', text: field('thinking') };
    case 'redacted_thinking':
      return { type: 'thinking', text: '' };
    case 'tool_use':
    case 'server_tool_use':
      return {
        type: 'toolCall',
        id: field('id'),
        name: field('name'),
        arguments: block['input'] ?? {},
      };
    case 'tool_result':
      return toSentResult(block);
    case 'image':
      return toImage(block);
    default:
      return { type: 'text', text: field('text') };
  }
}

function toSentResult(block: JsonObject): SentBlock {
  const parts = toObjects(block['content']);
  return {
    type: 'toolResult',
    toolCallId: getString(block, 'tool_use_id') ?? '',
    isError: block['is_error'] === true,
    text: parts.flatMap((part) => getString(part, 'text') ?? []).join('\n'),
    images: parts.filter(({ type }) => type === 'image').map(toImage),
  };
}

function toImage(block: JsonObject) {
  const source = getObject(block, 'source') ?? {};
  return toSentImage(getString(source, 'media_type') ?? '', getString(source, 'data') ?? '');
}
