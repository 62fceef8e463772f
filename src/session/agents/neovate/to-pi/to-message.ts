import { toParts } from '../../../model/text/conversation.ts';
import { toTextBlock } from '../../../model/text/image-block.ts';
import {
  getString,
  isObject,
  type JsonObject,
  type JsonValue,
  toTimeOrZero,
} from '../../../jsonl/edit/json.ts';
import { parseBashOutput } from '../entry/bash-text.ts';
import { readUsage } from '../entry/entry-usage.ts';
import { getParts } from '../format.ts';
import { readImage, type ToolOutcome } from '../entry/parts.ts';
import { toModel } from '../entry/to-entry.ts';
import { toMessageUsage, UNKNOWN } from '../../../dialect/pi-lines.ts';

/** The interface that pi talks to a provider with; most speak that of OpenAI's completions. */
const APIS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic-messages'],
  ['openai', 'openai-responses'],
  ['google', 'google-generative-ai'],
]);
const USUAL_API = 'openai-completions';

/** Converts a message of the user or the system to one of pi. */
export function toSaid(value: JsonObject, role: 'user' | 'system'): JsonObject {
  const { content } = value;
  return {
    role,
    content: typeof content === 'string' ? content : toBlocks(content),
    timestamp: toTimeOrZero(value['timestamp']),
  };
}

/** A command that a person ran; undefined for what does not say which. */
export function toBashExecution(value: JsonObject): JsonObject | undefined {
  const { content } = value;
  const ran = typeof content === 'string' ? parseBashOutput(content) : undefined;
  if (!ran || ran.command === '') return undefined;
  const { command, output, exitCode } = ran;
  return {
    role: 'bashExecution',
    command,
    output,
    ...(exitCode !== undefined && { exitCode }),
    cancelled: false,
    truncated: false,
    timestamp: toTimeOrZero(value['timestamp']),
  };
}

export function toAssistant(value: JsonObject): JsonObject {
  const { provider, modelId } = toModel(getString(value, 'model'));
  const content = toBlocks(value['content']);
  return {
    role: 'assistant',
    content,
    api: APIS.get(provider ?? '') ?? USUAL_API,
    provider: provider ?? UNKNOWN,
    model: modelId ?? UNKNOWN,
    usage: toMessageUsage(readUsage(value)),
    stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp: toTimeOrZero(value['timestamp']),
  };
}

/** One result; what only a person was shown is kept in its details. */
export function toToolResult(outcome: ToolOutcome, value: JsonObject): JsonObject {
  const { callId, toolName, content, isError, display, input } = outcome;
  const details = {
    ...(display !== undefined && { returnDisplay: display }),
    ...(input !== undefined && { input }),
  };
  return {
    role: 'toolResult',
    toolCallId: callId,
    toolName,
    content: toBlocks(content),
    details,
    isError,
    timestamp: toTimeOrZero(value['timestamp']),
  };
}

export function toBlocks(content: JsonValue | undefined): readonly JsonObject[] {
  return toParts(content).flatMap((part): readonly JsonObject[] => {
    const block = toBlock(part);
    return block ? [block] : [];
  });
}

function toBlock(part: JsonObject): JsonObject | undefined {
  const field = (key: string): string => getString(part, key) ?? '';
  switch (part['type']) {
    case 'text':
      return toTextBlock(field('text'));
    case 'reasoning':
      return { type: 'thinking', thinking: field('text') };
    case 'image': {
      const { data, mimeType } = readImage(part);
      return { type: 'image', data, mimeType };
    }
    case 'tool_use': {
      const { input } = part;
      const given = isObject(input) ? input : {};
      return { type: 'toolCall', id: field('id'), name: field('name'), arguments: given };
    }
    default:
      return undefined;
  }
}

/** Returns whether a message holds parts that pi has no words for. */
export function hasUnknownParts(value: JsonObject): boolean {
  const isKnown = (part: JsonObject): boolean =>
    toBlock(part) !== undefined || part['type'] === 'tool-result' || part['type'] === 'tool_result';
  return getParts(value).some((part) => !isKnown(part));
}
