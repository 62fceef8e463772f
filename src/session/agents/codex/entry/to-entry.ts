import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  type JsonObject,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { openLine } from '../format.ts';
import { findLineFault, isEnvelopeRead, isHeaderRead } from './fields/line-fields.ts';
import { isTyped } from './typed.ts';

/** The custom type of text by the client, and not a person, in the role `user` or `developer`. */
export const HARNESS = 'harness';
/** `customType` of a later `session_meta` behind which the context of a paginated file begins. */
export const RESTART = 'restart';
/** `customType` of a compaction that holds the whole new context. */
export const REPLACES = 'replaces';

/** `customType` of a `world_state` that says all, and not what has changed. */
export const FULL = 'full';

/** `customType` of a thought that only its provider can read. */
export const SEALED = 'sealed';

type Facts = Partial<Pick<Entry, 'role' | 'callId' | 'model' | 'customType' | 'name'>>;

/** The index entry of a parsed line, without its place in the tree. */
export function toEntry(value: JsonObject, span: LineSpan, isPaginated: boolean): Entry {
  const { type, kind, payload } = openLine(value);
  const skipped = toSkipped(value, span);
  const { type: _, ...common } = skipped;
  if (hasBadEnvelope(value)) return skipped;
  switch (type) {
    case 'response_item':
      return { ...common, type: ITEM_NAMES.get(kind ?? '') ?? kind ?? type, ...readItem(payload) };
    case 'event_msg':
      if (kind === 'thread_rolled_back' && findLineFault(value) !== undefined) return skipped;
      return { ...common, ...readEvent(kind, payload) };
    case 'compacted': {
      if (findLineFault(value) !== undefined) return skipped;
      const replaces = isArray(payload['replacement_history']);
      return { ...common, type: 'compaction', customType: replaces ? REPLACES : undefined };
    }
    case 'turn_context':
      return { ...common, type, model: readModel(payload) };
    case 'world_state':
      return { ...common, type, customType: payload['full'] === true ? FULL : undefined };
    case 'session_meta': {
      const restarts = isPaginated && isHeaderRead(payload);
      return { ...common, type, customType: restarts ? RESTART : undefined };
    }
    default:
      return { ...common, type: type || 'unknown' };
  }
}

/** The index entry of a line that Codex skips. */
export function toSkipped(value: JsonObject, span: LineSpan): Entry {
  const time = toTime(value['timestamp']);
  return { id: undefined, parentId: null, type: 'unknown', time, ...span };
}

function hasBadEnvelope(value: JsonObject): boolean {
  return 'payload' in value && typeof value['type'] === 'string' && !isEnvelopeRead(value);
}

/** Items that are called as a line is. */
const ITEM_NAMES: ReadonlyMap<string, string> = new Map([['compaction', 'compaction_summary']]);

function readItem(item: JsonObject): Facts {
  const callId = getString(item, 'call_id') ?? getString(item, 'id');
  if (item['type'] === 'reasoning')
    return { callId, customType: isSealed(item) ? SEALED : undefined };
  if (item['type'] !== 'message') return { callId };
  const role = getString(item, 'role');
  if (role === 'assistant') return { role, callId };
  return { role: isTyped(item) ? 'user' : HARNESS };
}

function isSealed({ summary, content }: JsonObject): boolean {
  return [summary, content].every((list) => !isArray(list) || list.length === 0);
}

/** Events that are called as an item of the Responses API is. */
const EVENT_NAMES: ReadonlyMap<string, string> = new Map([
  ['agent_message', 'agent_message_shown'],
]);

function readEvent(kind: string | undefined, event: JsonObject): Facts & Pick<Entry, 'type'> {
  if (kind !== 'item_completed')
    return { type: EVENT_NAMES.get(kind ?? '') ?? kind ?? 'event_msg' };
  const item = getObject(event, 'item') ?? {};
  return { type: getString(item, 'type') ?? kind, callId: getString(item, 'id') };
}

function readModel(payload: JsonObject): ModelRef | undefined {
  const modelId = getString(payload, 'model');
  return modelId === undefined ? undefined : { provider: undefined, modelId };
}
