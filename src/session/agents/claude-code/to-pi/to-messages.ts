import { toParts } from '../../../model/text/conversation.ts';
import { toTextBlock } from '../../../model/text/image-block.ts';
import {
  getObject,
  getString,
  isObject,
  type JsonObject,
  toTimeOrZero,
} from '../../../jsonl/edit/json.ts';
import { NO_MODEL, readUsage } from '../entry/entry-usage.ts';
import { toStopReason } from '../entry/to-turn.ts';
import { getText, isHarnessText } from '../entry/user-text.ts';
import { getMessage, isApiError, isCompactSummary, isResult, isTypedCommand } from '../format.ts';
import { type Content, toMessage, toMessageUsage, UNKNOWN } from '../../../dialect/pi-lines.ts';

/** Text that the client wrote for the user, which the model is sent and pi shows apart. */
const HARNESS = { type: 'custom_message', customType: 'claude-code.harness', display: false };

/** The provider and the interface that pi knows it by. */
const PROVIDER = { api: 'anthropic-messages', provider: 'anthropic' };

/** The entries that a line of a user, an attachment or the client becomes, in order. */
export function toContents(value: JsonObject, toolNames: ReadonlyMap<string, string>): Content[] {
  switch (value['type']) {
    case 'user':
      return fromUser(value, toolNames);
    case 'attachment':
      return fromQueued(getObject(value, 'attachment') ?? {}, value);
    case 'system':
      return value['subtype'] === 'local_command'
        ? [{ ...HARNESS, content: getString(value, 'content') ?? '' }]
        : [];
    default:
      return [];
  }
}

function fromUser(value: JsonObject, toolNames: ReadonlyMap<string, string>): Content[] {
  const content = getMessage(value)?.['content'];
  const parts = toParts(content);
  const contents = parts
    .filter(isResult)
    .map((part) => toMessage(toToolResult(part, toolNames, value)));
  const said = toBlocks(parts.filter((part) => !isResult(part)));
  if (said.length === 0) return contents;
  const isOwn = said.every((block) => isHarnessText(getString(block, 'text') ?? ''));
  const isHarness = value['isMeta'] === true || (isOwn && !isCompactSummary(value));
  const spoken = isHarness
    ? { ...HARNESS, content: said }
    : toMessage({
        role: 'user',
        content: typeof content === 'string' ? content : said,
        timestamp: toTimeOrZero(value['timestamp']),
      });
  return [...contents, spoken];
}

/** Converts a prompt that was typed during a turn; a prompt that the client queued is its own. */
function fromQueued(attachment: JsonObject, value: JsonObject): Content[] {
  if (attachment['type'] !== 'queued_command') return [];
  const content = toBlocks(toParts(attachment['prompt']));
  if (content.length === 0) return [];
  return isTypedCommand(attachment)
    ? [toMessage({ role: 'user', content, timestamp: toTimeOrZero(value['timestamp']) })]
    : [{ ...HARNESS, content }];
}

function toToolResult(
  part: JsonObject,
  toolNames: ReadonlyMap<string, string>,
  value: JsonObject,
): JsonObject {
  const toolCallId = getString(part, 'tool_use_id') ?? '';
  return {
    role: 'toolResult',
    toolCallId,
    toolName: toolNames.get(toolCallId) ?? UNKNOWN,
    content: toBlocks(toParts(part['content'])),
    isError: part['is_error'] === true,
    timestamp: toTimeOrZero(value['timestamp']),
  };
}

/** The message that stands for the lines of one answer; undefined where they say nothing. */
export function toAnswer(lines: readonly JsonObject[]): Content | undefined {
  const [first] = lines;
  const last = lines.at(-1);
  const message = last && getMessage(last);
  if (!first || !message) return undefined;
  const base = { ...PROVIDER, timestamp: toTimeOrZero(first['timestamp']) };
  const model = getString(message, 'model');
  const answer = {
    role: 'assistant',
    ...base,
    model: model === undefined || model === NO_MODEL ? UNKNOWN : model,
    usage: toMessageUsage(model === NO_MODEL ? undefined : readUsage(last)),
  };
  if (isApiError(first)) {
    const errorMessage = getText(first);
    return toMessage({ ...answer, content: [], stopReason: 'error', errorMessage });
  }
  const content = lines.flatMap((line) => toBlocks(toParts(getMessage(line)?.['content'])));
  if (content.length === 0) return undefined;
  const stopReason = content.some(({ type }) => type === 'toolCall')
    ? 'toolUse'
    : toKnownReason(getString(message, 'stop_reason'));
  const responseId = getString(message, 'id');
  return toMessage({ ...answer, content, stopReason, ...(responseId && { responseId }) });
}

/** The reasons of pi; what it does not know has stopped. */
function toKnownReason(reason: string | undefined): string {
  return toStopReason(reason) === 'length' ? 'length' : 'stop';
}

function toBlocks(parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.map(toBlock).filter((block) => block !== undefined);
}

/** Undefined for what pi has no block for. */
export function toBlock(part: JsonObject): JsonObject | undefined {
  const field = (key: string): string => getString(part, key) ?? '';
  switch (part['type']) {
    case 'text':
      return toTextBlock(field('text'));
    case 'thinking': {
      const signature = getString(part, 'signature');
      const signed = signature ? { thinkingSignature: signature } : {};
      return { type: 'thinking', thinking: field('thinking'), ...signed };
    }
    case 'redacted_thinking':
      return { type: 'thinking', thinking: '', thinkingSignature: field('data'), redacted: true };
    case 'tool_use': {
      const { input } = part;
      const given = isObject(input) ? input : {};
      return { type: 'toolCall', id: field('id'), name: field('name'), arguments: given };
    }
    case 'image': {
      const source = getObject(part, 'source') ?? {};
      const data = getString(source, 'data');
      const mimeType = getString(source, 'media_type') ?? '';
      return data === undefined ? undefined : { type: 'image', data, mimeType };
    }
    default:
      return undefined;
  }
}
