import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Block } from '../../../model/text/conversation.ts';
import { type SentBlock, type SentMessage, toSentImage } from '../../../model/text/sent-message.ts';
import {
  parseArguments,
  toBlocks,
  toGeneratedImage,
  toShownBlocks,
  toThoughts,
} from '../entry/blocks.ts';
import { getCallId, getToolName } from '../entry/turn-parts.ts';

/** Items of the Responses API in the shape that every agent's messages have, each as a message. */
export function toSent(items: readonly JsonObject[]): readonly SentMessage[] {
  return items.map((item) => ({ role: getRole(item), blocks: toSentBlocks(item) }));
}

/** Calls are the model's own; what tools give back comes from the other side. */
function getRole(item: JsonObject): string {
  const role = getString(item, 'role');
  if (role !== undefined) return role;
  const type = getString(item, 'type') ?? '';
  return type === 'reasoning' || type.endsWith('_call') ? 'assistant' : 'user';
}

function toSentBlocks(item: JsonObject): readonly SentBlock[] {
  const type = getString(item, 'type') ?? '';
  switch (type) {
    case 'reasoning': {
      const thoughts = [...toThoughts(item['summary']), ...toThoughts(item['content'])];
      return thoughts.length > 0 ? toSentContent(thoughts) : [{ type: 'thinking', text: '' }];
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'web_search_call':
      return [toSentCall(item)];
    case 'image_generation_call':
      return toSentContent([toGeneratedImage(getString(item, 'result') ?? '')]);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return [toSentResult(item)];
    default:
      return toSentContent(toShownBlocks(item));
  }
}

function toSentCall(item: JsonObject): SentBlock {
  const input = getString(item, 'input');
  const action = getObject(item, 'action');
  const args = input === undefined ? (action ?? parseArguments(item['arguments'])) : { input };
  return {
    type: 'toolCall',
    id: getCallId(item) ?? '',
    name: getToolName(item),
    arguments: args,
  };
}

function toSentResult(item: JsonObject): SentBlock {
  const blocks = toBlocks(item['output']);
  return {
    type: 'toolResult',
    toolCallId: getString(item, 'call_id') ?? '',
    isError: false,
    text: blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    images: blocks.flatMap((block) =>
      block.type === 'image' ? [toSentImage(block.mimeType, block.data)] : [],
    ),
  };
}

function toSentContent(blocks: readonly Block[]): readonly SentBlock[] {
  return blocks.map((block) => {
    switch (block.type) {
      case 'image':
        return toSentImage(block.mimeType, block.data);
      case 'thinking':
        return { type: 'thinking', text: block.text };
      default:
        return block;
    }
  });
}
