import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import {
  type SentBlock,
  type SentMessage,
  toContentParts,
  toSentImage,
  toSentResult,
} from '../../../model/text/sent-message.ts';
import { convertToLlm } from '../compaction/to-model/convert-to-llm.ts';

/** Messages as pi hands them to a provider, in the shape that every agent's have. */
export function toSent(messages: readonly JsonObject[]): readonly SentMessage[] {
  return convertToLlm(messages).map((message) => {
    const { role, content } = message;
    if (role !== 'toolResult') {
      return {
        role: getString(message, 'role') ?? '',
        blocks: toContentParts(content).map(toSentBlock),
      };
    }
    const facts = {
      toolCallId: getString(message, 'toolCallId'),
      isError: message['isError'] === true,
    };
    return { role: 'user', blocks: [toSentResult(facts, content, toImage)] };
  });
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
