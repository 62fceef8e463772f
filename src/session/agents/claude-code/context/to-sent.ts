import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import {
  type SentBlock,
  type SentMessage,
  toContentParts,
  toSentImage,
  toSentResult,
} from '../../../model/text/sent-message.ts';

/** Messages of the provider in the shape that every agent's have. */
export function toSent(messages: readonly JsonObject[]): readonly SentMessage[] {
  return messages.map((message) => ({
    role: getString(message, 'role') ?? '',
    blocks: toContentParts(message['content']).map(toSentBlock),
  }));
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
      return toSentResult(
        { toolCallId: field('tool_use_id'), isError: block['is_error'] === true },
        block['content'],
        toImage,
      );
    case 'image':
      return toImage(block);
    default:
      return { type: 'text', text: field('text') };
  }
}

function toImage(block: JsonObject) {
  const source = getObject(block, 'source') ?? {};
  return toSentImage(getString(source, 'media_type') ?? '', getString(source, 'data') ?? '');
}
