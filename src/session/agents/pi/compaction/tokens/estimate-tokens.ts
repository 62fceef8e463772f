import {
  getString,
  isObject,
  type JsonObject,
  type JsonValue,
  listObjects,
  toJsonText,
} from '../../../../jsonl/edit/json.ts';
import { toTokens } from '../../../../model/text/tokens.ts';

/** An image counts as this many characters, whatever its size. */
const IMAGE_CHARACTERS = 4800;

/**
 * Estimates the tokens of a message of the context, as `estimateTokens` of pi 1.6.0. A block without its
 * text, on which pi would fail, weighs nothing.
 */
export function estimateTokens(message: JsonObject): number {
  return toTokens(countCharacters(message));
}

export function sumTokens(messages: readonly JsonObject[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

function countCharacters(message: JsonObject): number {
  switch (message['role']) {
    case 'system':
      return countContent(message['content']) + countSystem(message);
    case 'user':
    case 'custom':
    case 'toolResult':
      return countContent(message['content']);
    case 'assistant':
      return countAssistant(message['content']);
    case 'bashExecution':
      return count(message, 'command') + count(message, 'output');
    case 'branchSummary':
    case 'compactionSummary':
      return count(message, 'summary');
    default:
      return 0;
  }
}

function countContent(content: JsonValue | undefined): number {
  if (typeof content === 'string') return content.length;
  let characters = 0;
  for (const block of listObjects(content)) {
    if (block['type'] === 'text') characters += count(block, 'text');
    else if (block['type'] === 'image') characters += IMAGE_CHARACTERS;
  }
  return characters;
}

function countAssistant(content: JsonValue | undefined): number {
  let characters = 0;
  for (const block of listObjects(content)) {
    if (block['type'] === 'text') characters += count(block, 'text');
    else if (block['type'] === 'thinking') characters += count(block, 'thinking');
    else if (block['type'] === 'toolCall') {
      characters += count(block, 'name') + countJson(block['arguments']);
    }
  }
  return characters;
}

function countSystem({ sections, toolsAdded }: JsonObject): number {
  const texts = isObject(sections) ? Object.values(sections) : [];
  const characters = texts.map((text) => (typeof text === 'string' ? text.length : 0));
  return characters.reduce((sum, length) => sum + length, toolsAdded ? countJson(toolsAdded) : 0);
}

function count(from: JsonObject, key: string): number {
  return getString(from, key)?.length ?? 0;
}

function countJson(value: JsonValue | undefined): number {
  return value === undefined ? 0 : toJsonText(value).length;
}
