import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import { type SentBlock, type SentMessage, toSentImage } from '../../../model/text/sent-message.ts';
import { convertToLlm } from '../compaction/convert-to-llm.ts';

/** Messages as pi hands them to a provider, in the shape that every agent's have. */
export function toSent(messages: readonly JsonObject[]): readonly SentMessage[] {
  return convertToLlm(messages).map((message) => {
    const { role, content } = message;
    if (role !== 'toolResult') {
      return {
        role: getString(message, 'role') ?? '',
        blocks: toObjects(content).map(toSentBlock),
      };
    }
    const parts = toObjects(content);
    const result: SentBlock = {
      type: 'toolResult',
      toolCallId: getString(message, 'toolCallId') ?? '',
      isError: message['isError'] === true,
      text: parts.flatMap((part) => getString(part, 'text') ?? []).join('\n'),
      images: parts.filter(({ type }) => type === 'image').map(toImage),
    };
    return { role: 'user', blocks: [result] };
  });
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
    case 'toolCall':
      return {
        type: 'toolCall',
        id: field('id'),
        name: field('name'),
        arguments: block['arguments'] ?? {},
      };
    case 'image':
      return toImage(block);
    default:
      return { type: 'text', text: field('text') };
  }
}

function toImage(block: JsonObject) {
  return toSentImage(getString(block, 'mimeType') ?? '', getString(block, 'data') ?? '');
}
