import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../jsonl/edit/json.ts';
import { type SentBlock, type SentMessage, toSentImage } from '../../model/text/sent-message.ts';

/** Items of the Responses API in the shape that every agent's messages have: one message an item. */
export function toSent(items: readonly JsonObject[]): readonly SentMessage[] {
  return items.map((item) => {
    const type = getString(item, 'type') ?? '';
    if (type === 'message') {
      return { role: getString(item, 'role') ?? '', blocks: toBlocks(item['content']) };
    }
    if (type === 'reasoning') return { role: 'assistant', blocks: [toThinking(item)] };
    if (type.endsWith('_output')) return { role: 'user', blocks: [toResult(item)] };
    if (type.endsWith('_call')) return { role: 'assistant', blocks: [toCall(item)] };
    return { role: 'user', blocks: toBlocks(item['content'] ?? item['message'] ?? '') };
  });
}

function toBlocks(content: JsonValue | undefined): readonly SentBlock[] {
  return toObjects(content).map((part) =>
    part['type'] === 'input_image'
      ? toImage(part)
      : { type: 'text', text: getString(part, 'text') ?? '' },
  );
}

function toObjects(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return isArray(content) ? content.filter(isObject) : [];
}

function toThinking({ summary, content }: JsonObject): SentBlock {
  const texts = [...toObjects(summary), ...toObjects(content)];
  return {
    type: 'thinking',
    text: texts.flatMap((part) => getString(part, 'text') ?? []).join('\n'),
  };
}

function toCall(item: JsonObject): SentBlock {
  return {
    type: 'toolCall',
    id: getString(item, 'call_id') ?? getString(item, 'id') ?? '',
    name: getString(item, 'name') ?? getString(item, 'type') ?? '',
    arguments: parseArguments(item['arguments'] ?? item['input'] ?? item['action'] ?? {}),
  };
}

/** The arguments of a function are JSON in a string; what does not parse is the string itself. */
function parseArguments(given: JsonValue): JsonValue {
  if (typeof given !== 'string') return given;
  try {
    const value: unknown = JSON.parse(given);
    return isObject(value) ? value : given;
  } catch {
    return given;
  }
}

function toResult(item: JsonObject): SentBlock {
  const output = item['output'];
  const parts = toObjects(isObject(output) ? output['content'] : output);
  return {
    type: 'toolResult',
    toolCallId: getString(item, 'call_id') ?? '',
    isError: isObject(output) && output['success'] === false,
    text: parts.flatMap((part) => getString(part, 'text') ?? []).join('\n'),
    images: parts.filter(({ type }) => type === 'input_image').map(toImage),
  };
}

const DATA_URL = /^data:([^;,]{0,100});base64,/;

function toImage(part: JsonObject) {
  const url = getString(part, 'image_url') ?? '';
  const prefix = DATA_URL.exec(url.slice(0, 200));
  return toSentImage(prefix?.[1] ?? '', prefix ? url.slice(prefix[0].length) : '');
}
