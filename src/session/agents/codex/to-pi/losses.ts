import { getString, isArray, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Loss as AnyLoss } from '../../../rules/losses.ts';
import { isItem } from '../context/context.ts';
import { openLine } from '../format.ts';
import { formatCounted } from '../../../model/text/numbers.ts';

type Code =
  | 'aside'
  | 'compaction'
  | 'display'
  | 'image'
  | 'instruction'
  | 'kept'
  | 'sealed'
  | 'tools'
  | 'usage';

export type Loss = AnyLoss<Code>;

/** The words of a problem for a number of losses; the names that were found follow. */
export const WORDS: Readonly<Record<Code, (count: number) => string>> = {
  aside: (count) => `${formatCounted(count, 'line')} of settings, counts and states left out`,
  compaction: (count) =>
    `${formatCounted(count, 'summary', 'summaries')} that only the provider can read left out: all entries before are kept`,
  display: (count) => `${formatCounted(count, 'line')} that people were shown left out`,
  image: (count) => `${formatCounted(count, 'generated image')} left out: pi has none in an answer`,
  instruction: (count) =>
    `${formatCounted(count, 'message')} with instructions of the agent left out: pi has its own`,
  kept: (count) =>
    `${formatCounted(count, 'compaction')} kept earlier prompts for the model: pi continues with the summary alone`,
  sealed: (count) => `${formatCounted(count, 'thought')} that only the provider can read left out`,
  tools: (count) => `${formatCounted(count, 'list')} of tools left out`,
  usage: (count) => `the cost of ${formatCounted(count, 'response')} is left out`,
};

/** Finds the members of a line for which pi has no place. */
export function findLosses(entry: Entry, value: JsonObject): readonly Loss[] {
  const { type, payload } = openLine(value);
  if (entry.type === 'compaction') return findOfCompaction(payload);
  if (type === 'token_usage_record') return [{ code: 'usage' }];
  if (type === 'event_msg' && SHOWN.has(entry.type)) return [{ code: 'display', name: entry.type }];
  if (!isItem(entry)) return REPEATED.has(entry.type) ? [] : [{ code: 'aside', name: entry.type }];
  switch (payload['type']) {
    case 'message':
      return payload['role'] === 'developer' ? [{ code: 'instruction' }] : [];
    case 'reasoning':
      return typeof payload['encrypted_content'] === 'string' ? [{ code: 'sealed' }] : [];
    case 'image_generation_call':
      return [{ code: 'image' }];
    case 'additional_tools':
      return [{ code: 'tools' }];
    case 'agent_message':
      return hasSealed(payload) ? [{ code: 'sealed' }] : [];
    default:
      return [];
  }
}

/** Returns whether a compaction holds a summary that pi can read. */
export function isReadable(payload: JsonObject): boolean {
  return (getString(payload, 'message') ?? '') !== '' && !hasSealedSummary(payload);
}

function findOfCompaction(payload: JsonObject): readonly Loss[] {
  if (!isReadable(payload)) return [{ code: 'compaction' }];
  const { replacement_history: history } = payload;
  return !isArray(history) || history.length > 1 ? [{ code: 'kept' }] : [];
}

const SEALED_SUMMARIES: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
]);

function hasSealedSummary({ replacement_history: history }: JsonObject): boolean {
  return isArray(history) && history.some((item) => isObject(item) && isSealedSummary(item));
}

function isSealedSummary({ type }: JsonObject): boolean {
  return SEALED_SUMMARIES.has(type);
}

function hasSealed({ content }: JsonObject): boolean {
  return isArray(content) && content.some((part) => isObject(part) && 'encrypted_content' in part);
}

/** Events that say what no item of the model says. */
const SHOWN: ReadonlySet<string> = new Set([
  'CommandExecution',
  'FileChange',
  'McpToolCall',
  'DynamicToolCall',
  'ImageView',
  'ImageGeneration',
  'CollabAgentToolCall',
  'SubAgentActivity',
  'Plan',
  'EnteredReviewMode',
  'ExitedReviewMode',
  'patch_apply_end',
  'mcp_tool_call_end',
  'image_generation_end',
  'sub_agent_activity',
  'entered_review_mode',
  'exited_review_mode',
  'error',
]);

/** Events and lines that say again what items say, or where turns begin and end. */
const REPEATED: ReadonlySet<string> = new Set([
  'UserMessage',
  'AgentMessage',
  'Reasoning',
  'WebSearch',
  'ContextCompaction',
  'user_message',
  'agent_message_shown',
  'agent_reasoning',
  'agent_reasoning_raw_content',
  'context_compacted',
  'web_search_end',
  'task_started',
  'task_complete',
  'turn_aborted',
  'turn_context',
  'session_meta',
]);
