import type { ShowOptions } from '../../../dialect/dialect.ts';
import type { Entry } from '../../../model/entry.ts';
import { groupBy } from '../../../model/tree/group-by.ts';
import { isItem, selectRange, selectUncompacted } from '../context/context.ts';
import { HARNESS, SEALED } from './to-entry.ts';
import { endsTurn } from './turn-limits.ts';

/** Items of a turn that say what came of a call, better than the output that the model is sent. */
const OUTCOMES: ReadonlySet<string> = new Set(['CommandExecution', 'FileChange']);
/** Items of a turn that are shown beside the call that made them. */
const BESIDE: ReadonlySet<string> = new Set(['CollabAgentToolCall', 'SubAgentActivity']);
/** Items of a turn and events that hold a prompt, and those that hold an answer. */
export const PROMPTS: ReadonlySet<string> = new Set(['UserMessage', 'user_message']);
const ANSWERS: ReadonlySet<string> = new Set([
  'AgentMessage',
  'agent_message_shown',
  'Reasoning',
  'agent_reasoning',
]);
/** Other items and events that say something to a person. */
const TOLD: ReadonlySet<string> = new Set([
  'Plan',
  'WebSearch',
  'ImageView',
  'ImageGeneration',
  'McpToolCall',
  'DynamicToolCall',
  'mcp_tool_call_end',
  'patch_apply_end',
  'EnteredReviewMode',
  'ExitedReviewMode',
  'turn_aborted',
  'thread_rolled_back',
  'error',
]);
/** Items that hold what came of a call. */
export const OUTPUTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
]);

/**
 * Selects the lines of a path that show what happened, one for each event: for prompts and answers the item of
 * the model; for commands and patches the call, and the client's note of its outcome. For a model, these are its own
 * items only.
 */
export function selectShown(path: readonly Entry[], shows: ShowOptions): readonly Entry[] {
  const { fullHistory, allBranches, harness, forModels } = shows;
  // A person is still shown what comes before a restart.
  const select = forModels ? selectRange : selectUncompacted;
  const entries = fullHistory ? path : select(path);
  const facts = gather(entries, forModels);
  const placed = allBranches ? entries : placeLateItems(entries);
  return placed.filter((entry) => isShown(entry, facts, harness));
}

/** Puts items that came when their turn had been broken off, and another one had begun, at the end of their turn. */
function placeLateItems(entries: readonly Entry[]): readonly Entry[] {
  const late = groupBy(entries, ({ targetId }) => targetId);
  if (late.size === 0) return entries;
  const placed = new Set<Entry>();
  let turn = '';
  return entries.flatMap((entry) => {
    if (placed.has(entry)) return [];
    const isStart = entry.type === 'task_started';
    if (!isStart && !endsTurn(entry)) return [entry];
    const items = late.get(turn) ?? [];
    late.delete(turn);
    for (const item of items) placed.add(item);
    if (isStart) turn = entry.id ?? '';
    return [...items, entry];
  });
}

interface Facts {
  readonly forModels: boolean;
  /** The ids of calls and messages of the model. */
  readonly itemIds: ReadonlySet<string>;
  readonly outcomeIds: ReadonlySet<string>;
  readonly hasPrompts: boolean;
  readonly hasAnswers: boolean;
}

function gather(entries: readonly Entry[], forModels: boolean): Facts {
  const items = entries.filter(isItem);
  const outcomes = entries.filter(({ type }) => OUTCOMES.has(type));
  return {
    forModels,
    itemIds: new Set(items.flatMap(({ callId }) => callId ?? [])),
    outcomeIds: new Set(outcomes.flatMap(({ callId }) => callId ?? [])),
    hasPrompts: items.some(({ role }) => role === 'user'),
    hasAnswers: items.some(({ role, type }) => role === 'assistant' || type === 'reasoning'),
  };
}

function isShown(entry: Entry, facts: Facts, harness: boolean): boolean {
  const { type, role, callId = '', customType } = entry;
  if (type === 'compaction') return true;
  if (isItem(entry)) {
    if (role === HARNESS || type === 'additional_tools' || customType === SEALED) return harness;
    return facts.forModels || !OUTPUTS.has(type) || !facts.outcomeIds.has(callId);
  }
  if (facts.forModels) return false;
  if (PROMPTS.has(type)) return !facts.hasPrompts;
  if (ANSWERS.has(type)) return !facts.hasAnswers;
  if (OUTCOMES.has(type) || BESIDE.has(type)) return true;
  return TOLD.has(type) && !facts.itemIds.has(callId);
}
