import type { EntryDescription } from '../../../dialect/dialect.ts';
import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { type Block, joinText, type TurnContent } from '../../../model/text/conversation.ts';
import { openLine } from '../format.ts';
import { toTurns } from './to-turn.ts';

const MAX_PREVIEW = 200;

/** Lines that begin or end a turn, or change what it is about. */
const MARKS: ReadonlySet<string> = new Set(['task_started', 'turn_aborted', 'thread_rolled_back']);
/** Items and events that a response item of the same turn says as well. */
const REPEATED: ReadonlySet<string> = new Set(['UserMessage', 'AgentMessage', 'Reasoning']);

/** Describes a line for people. */
export function describeEntry(entry: JsonObject): EntryDescription {
  const { type, kind, payload } = openLine(entry);
  const [turn] = toTurns(entry);
  if (!turn) return { preview: '', visibility: 'bookkeeping' };
  if (type === 'event_msg') return describeEvent(kind ?? '', payload, turn);
  if (turn.role === 'note') return { preview: '', visibility: 'bookkeeping' };
  const preview = shorten(describeTurn(turn));
  if (turn.role === 'user') return { preview, visibility: 'user' };
  if (turn.role === 'toolResult') return { preview, visibility: 'tool' };
  if (turn.role === 'custom' && turn.hidden) return { preview, visibility: 'bookkeeping' };
  return { preview, visibility: preview === '' ? 'silent' : 'other' };
}

function describeEvent(kind: string, payload: JsonObject, turn: TurnContent): EntryDescription {
  if (MARKS.has(kind)) {
    return { preview: turn.role === 'note' ? toMark(kind, turn.note) : '', visibility: 'other' };
  }
  const preview = shorten(describeTurn(turn));
  const item = getObject(payload, 'item') ?? {};
  const isOwn = kind === 'item_completed' && !REPEATED.has(getString(item, 'type') ?? '');
  return { preview, visibility: isOwn ? 'tool' : 'bookkeeping' };
}

function toMark(kind: string, note: string): string {
  return kind === 'task_started' ? 'turn' : note;
}

function describeTurn(turn: TurnContent): string {
  if (turn.role === 'note') return turn.note;
  const text = joinText(turn.blocks);
  if (turn.role === 'toolResult') return `${turn.toolName || 'result'}: ${text}`;
  return text || turn.blocks.map(describeBlock).join(' ');
}

function describeBlock(block: Block): string {
  switch (block.type) {
    case 'toolCall':
      return `${block.name}()`;
    case 'thinking':
    case 'text':
      return block.text;
    case 'image':
      return '[image]';
  }
}

function shorten(text: string): string {
  return text.slice(0, MAX_PREVIEW);
}
