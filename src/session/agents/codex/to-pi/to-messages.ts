import { toTextBlock } from '../../../model/text/image-block.ts';
import {
  getObject,
  getString,
  isObject,
  type JsonObject,
  type JsonValue,
  toTimeOrZero,
} from '../../../jsonl/edit/json.ts';
import type { Block } from '../../../model/text/conversation.ts';
import { parseArguments, toBlocks, toThoughts } from '../entry/blocks.ts';
import { isCompactionOutput } from '../entry/typed.ts';
import { openLine } from '../format.ts';
import { getCallId, getToolName } from '../entry/turn-parts.ts';
import { type Content, toMessage, toMessageUsage, UNKNOWN } from '../../../dialect/pi-lines.ts';

/** Text that the client wrote for the user, which the model is sent and pi shows apart. */
const HARNESS = { type: 'custom_message', customType: 'codex.harness', display: false };

/** The model of an answer. */
export interface Answering {
  readonly provider: string | undefined;
  readonly modelId: string | undefined;
}

/** The message that stands for the items of one answer; undefined where they say nothing. */
export function toAnswer(
  lines: readonly JsonObject[],
  { provider, modelId }: Answering,
): Content | undefined {
  const [first] = lines;
  const content = lines.flatMap((line) => toAnswerBlocks(openLine(line).payload));
  if (!first || content.length === 0) return undefined;
  return toMessage({
    role: 'assistant',
    content,
    api: 'openai-responses',
    provider: provider ?? UNKNOWN,
    model: modelId ?? UNKNOWN,
    usage: toMessageUsage(),
    stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp: toTimeOrZero(first['timestamp']),
  });
}

function toAnswerBlocks(item: JsonObject): readonly JsonObject[] {
  switch (item['type']) {
    case 'message':
      return toBlocks(item['content']).flatMap(toPiBlock);
    case 'reasoning':
      return [...toThoughts(item['summary']), ...toThoughts(item['content'])].flatMap(toPiBlock);
    case 'function_call':
    case 'tool_search_call':
      return [toCall(item, parseArguments(item['arguments']))];
    case 'custom_tool_call':
      return [toCall(item, { input: getString(item, 'input') ?? '' })];
    case 'local_shell_call':
      return [toCall(item, getObject(item, 'action') ?? {})];
    case 'web_search_call':
      return [{ type: 'text', text: `[web search: ${JSON.stringify(item['action'] ?? {})}]` }];
    default:
      return [];
  }
}

function toCall(item: JsonObject, given: JsonValue): JsonObject {
  return {
    type: 'toolCall',
    id: getCallId(item) ?? '',
    name: getToolName(item),
    arguments: isObject(given) ? given : { input: given },
  };
}

/** Converts a line of a user, a tool or the client; undefined if pi has no place for it. */
export function toContent(value: JsonObject, isPrompt: boolean, toolName: string | undefined) {
  const { payload } = openLine(value);
  const timestamp = toTimeOrZero(value['timestamp']);
  const content = toBlocks(payload['content']).flatMap(toPiBlock);
  switch (payload['type']) {
    case 'message':
      if (content.length === 0 || payload['role'] === 'developer') return undefined;
      if (isCompactionOutput(value)) return undefined;
      return isPrompt ? toMessage({ role: 'user', content, timestamp }) : { ...HARNESS, content };
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return toMessage({
        role: 'toolResult',
        toolCallId: getString(payload, 'call_id') ?? '',
        toolName: toolName || UNKNOWN,
        content: toBlocks(payload['output']).flatMap(toPiBlock),
        isError: false,
        timestamp,
      });
    case 'agent_message':
      if (content.length === 0) return undefined;
      return { ...HARNESS, customType: 'codex.agent_message', display: true, content };
    default:
      return undefined;
  }
}

function toPiBlock(block: Block): readonly JsonObject[] {
  switch (block.type) {
    case 'text':
      return [toTextBlock(block.text)];
    case 'thinking':
      return [{ type: 'thinking', thinking: block.text }];
    case 'image':
      return [{ type: 'image', data: block.data, mimeType: block.mimeType }];
    case 'toolCall':
      return [];
  }
}
