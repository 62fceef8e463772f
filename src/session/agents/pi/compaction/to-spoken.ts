import {
  getNumber,
  getObject,
  getString,
  type JsonObject,
  listObjects,
} from '../../../jsonl/edit/json.ts';
import type { SpokenCall, SpokenMessage } from '../../../model/text/summarizer.ts';
import { formatBash, formatSummary } from './to-model/convert-to-llm.ts';
import { formatConversation } from '../../../model/text/format-conversation.ts';
import { joinTexts } from '../entry/join-texts.ts';

const FAILED: ReadonlySet<string> = new Set(['error', 'aborted', 'length']);

/**
 * Messages of a context as a summarizer reads them; which of them count, and what becomes user text,
 * as `convertToLlm` of pi 1.6.0.
 */
export function toSpokenMessages(messages: readonly JsonObject[]): readonly SpokenMessage[] {
  return messages.flatMap((message) => toSpoken(message) ?? []);
}

function toSpoken(message: JsonObject): SpokenMessage | undefined {
  const text = joinTexts(message['content'], '') ?? '';
  switch (message['role']) {
    case 'user':
      return { role: 'user', from: 'person', text };
    case 'custom':
      return { role: 'user', from: 'extension', text };
    case 'branchSummary':
    case 'compactionSummary':
      return {
        role: 'user',
        from: 'summary',
        text: getString(message, 'summary') ?? '',
        shown: formatSummary(message),
      };
    case 'bashExecution':
      return message['excludeFromContext'] ? undefined : toCommand(message);
    case 'assistant':
      return toAnswer(message);
    case 'toolResult':
      return {
        role: 'tool',
        callId: getString(message, 'toolCallId') ?? '',
        name: getString(message, 'toolName') ?? '',
        text,
        isError: message['isError'] === true,
      };
    default:
      return undefined;
  }
}

function toAnswer(message: JsonObject): SpokenMessage {
  const blocks = listObjects(message['content']);
  const thinking = blocks.filter((block) => block['type'] === 'thinking');
  const text = joinTexts(message['content'], '\n');
  const stopReason = getString(message, 'stopReason') ?? '';
  return {
    role: 'assistant',
    ...(text !== undefined && { text }),
    ...(thinking.length > 0 && {
      thinking: thinking.map((block) => getString(block, 'thinking') ?? '').join('\n'),
    }),
    calls: blocks.filter((block) => block['type'] === 'toolCall').map(toCall),
    ...(FAILED.has(stopReason) && {
      failure: getString(message, 'errorMessage') ?? stopReason,
    }),
  };
}

function toCall(block: JsonObject): SpokenCall {
  return {
    id: getString(block, 'id') ?? '',
    name: getString(block, 'name') ?? '',
    arguments: getObject(block, 'arguments') ?? {},
  };
}

/** A command that a person ran in the agent, as the model is shown it. */
function toCommand(message: JsonObject): SpokenMessage {
  const [line, exitCode] = [getString(message, 'command'), getNumber(message, 'exitCode')];
  const command = { line: line ?? '', exitCode: exitCode ?? 0 };
  return { role: 'user', from: 'command', text: formatBash(message), command };
}

/** The roles to serialize, without instructions and tools. */
const SERIALIZED: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult']);

/**
 * Writes messages of `convertToLlm` as the plain text that a summarizer reads:
 * `serializeConversation` of pi 1.6.0. Thinking is left out; 0.87.1 wrote it, as `[Assistant
 * thinking]`.
 */
export function serializeConversation(messages: readonly JsonObject[]): string {
  return formatConversation(toSpokenMessages(messages.filter(({ role }) => SERIALIZED.has(role))));
}
