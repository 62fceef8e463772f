import { getNumber, getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { type Block, toNote, type TurnContent } from '../../../model/text/conversation.ts';
import { openLine } from '../format.ts';
import { parseArguments, toBlocks, toGeneratedImage, toShownBlocks, toThoughts } from './blocks.ts';
import { fromItem, fromOutcome } from './item-turns.ts';
import { HARNESS } from './to-entry.ts';
import { listReplacing } from './replacement.ts';
import { isCompactionOutput, isTyped } from './typed.ts';
import { getCallId, type Known, toAssistant, toCall, toResult } from './turn-parts.ts';

/** Converts a line to turns. Lines that repeat another one of their turn are left out before. */
export function toTurns(value: JsonObject, known: Known = {}): readonly TurnContent[] {
  const { type, kind, payload } = openLine(value);
  switch (type) {
    case 'response_item':
      if (isCompactionOutput(value)) return [toHarness(toBlocks(payload['content']), HARNESS)];
      return fromResponse(payload, known);
    case 'event_msg':
      return fromEvent(kind, payload, known);
    case 'compacted':
      return fromCompaction(payload, known);
    default:
      return [toNote(type)];
  }
}

function toHarness(blocks: readonly Block[], customType: string): TurnContent {
  return { role: 'custom', blocks, customType, hidden: true };
}

function fromResponse(item: JsonObject, known: Known): readonly TurnContent[] {
  const type = getString(item, 'type') ?? '';
  const id = getCallId(item) ?? '';
  switch (type) {
    case 'message':
      return [fromMessage(item, known)];
    case 'reasoning': {
      const thoughts = [...toThoughts(item['summary']), ...toThoughts(item['content'])];
      const hidden: Block = { type: 'thinking', text: '', redacted: true };
      return [toAssistant(thoughts.length > 0 ? thoughts : [hidden], known)];
    }
    case 'function_call':
    case 'tool_search_call': {
      const name = getString(item, 'name') ?? 'tool_search';
      return [toAssistant([toCall(id, name, parseArguments(item['arguments']))], known)];
    }
    case 'custom_tool_call': {
      const input = { input: getString(item, 'input') ?? '' };
      return [toAssistant([toCall(id, getString(item, 'name') ?? '', input)], known)];
    }
    case 'local_shell_call':
      return [toAssistant([toCall(id, 'local_shell', getObject(item, 'action') ?? {})], known)];
    case 'web_search_call':
      return [toAssistant([toCall(id, 'web_search', getObject(item, 'action') ?? {})], known)];
    case 'image_generation_call':
      return [toAssistant([toGeneratedImage(getString(item, 'result') ?? '')], known)];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [toResult(id, known.toolName ?? '', toBlocks(item['output']))];
    case 'tool_search_output':
      return [toResult(id, known.toolName ?? '', [])];
    case 'agent_message': {
      const blocks = toBlocks(item['content']);
      return [{ role: 'custom', blocks, customType: type, hidden: false }];
    }
    default:
      return [toHarness(toShownBlocks(item), type)];
  }
}

function fromMessage(item: JsonObject, known: Known): TurnContent {
  const blocks = toBlocks(item['content']);
  if (item['role'] === 'assistant') return toAssistant(blocks, known);
  return isTyped(item)
    ? { role: 'user', blocks }
    : toHarness(blocks, getString(item, 'role') ?? HARNESS);
}

function fromEvent(
  kind: string | undefined,
  event: JsonObject,
  known: Known,
): readonly TurnContent[] {
  const text = (key: string): readonly Block[] => toBlocks(getString(event, key));
  switch (kind) {
    case 'item_completed':
      return fromItem(getObject(event, 'item') ?? {}, known);
    case 'mcp_tool_call_end':
    case 'patch_apply_end':
      return fromOutcome(event, known);
    case 'user_message':
      return [{ role: 'user', blocks: [...text('message'), ...listImages(event)] }];
    case 'agent_message':
      return [toAssistant(text('message'), known)];
    case 'agent_reasoning':
    case 'agent_reasoning_raw_content':
      return [toAssistant(toThoughts([event['text'] ?? '']), known)];
    case 'turn_aborted':
      return [toNote(`Turn ended: ${getString(event, 'reason') ?? 'aborted'}`)];
    case 'thread_rolled_back':
      return [toNote(`Rolled back by ${getNumber(event, 'num_turns') ?? 0} turns`)];
    case 'error':
      return [toNote(`Error: ${getString(event, 'message') ?? ''}`)];
    default:
      return [toNote(kind ?? 'event')];
  }
}

function listImages({ images }: JsonObject): readonly Block[] {
  return Array.isArray(images)
    ? images.flatMap((url) => toBlocks([{ type: 'input_image', image_url: String(url) }]))
    : [];
}

/** Converts a compaction to its summary, behind what it keeps of the context if nothing before it is shown. */
function fromCompaction(payload: JsonObject, { shows, ...known }: Known): readonly TurnContent[] {
  if (!shows || shows.fullHistory) return [toSummary(payload)];
  const kept = listReplacing(payload).flatMap((item) => fromResponse(item, known));
  return [...kept.filter((turn) => shows.harness || isReadable(turn)), toSummary(payload)];
}

function isReadable(turn: TurnContent): boolean {
  if (turn.role === 'custom' && turn.hidden) return false;
  return turn.blocks.some((block) => block.type !== 'thinking' || !block.redacted);
}

/** Converts a compaction to a summary, in the words that the model is sent. */
function toSummary(payload: JsonObject): TurnContent {
  const blocks = toBlocks(getString(payload, 'message'));
  return { role: 'summary', kind: 'compaction', blocks };
}
