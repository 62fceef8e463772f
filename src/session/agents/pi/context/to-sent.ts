import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import {
  type SentBlock,
  type SentMessage,
  toContentParts,
  toSentImage,
  toSentResult,
} from '../../../model/text/sent-message.ts';
import { listSections } from '../entry/to-turn.ts';
import { convertToLlm } from '../compaction/to-model/convert-to-llm.ts';

/** Messages as pi hands them to a provider, in the shape that every agent's have. */
export function toSent(messages: readonly JsonObject[]): readonly SentMessage[] {
  return convertToLlm(messages).map((message) => {
    const { role, content } = message;
    if (role !== 'toolResult') {
      const blocks = toContentParts(content).map(toSentBlock);
      if (role === 'system') return { role, blocks: withSections(blocks, message) };
      return { role: getString(message, 'role') ?? '', blocks };
    }
    const facts = {
      toolCallId: getString(message, 'toolCallId'),
      isError: message['isError'] === true,
    };
    return { role: 'user', blocks: [toSentResult(facts, content, toImage)] };
  });
}

/** The content of a system message may be empty where its sections say all. */
function withSections(blocks: readonly SentBlock[], message: JsonObject): readonly SentBlock[] {
  const sections = listSections(message);
  if (sections.length === 0) return blocks;
  const isSaid = (block: SentBlock): boolean => block.type !== 'text' || block.text !== '';
  return [...blocks, ...sections].filter(isSaid);
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
