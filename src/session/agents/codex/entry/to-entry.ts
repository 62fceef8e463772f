import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  type JsonObject,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { BARE_VERSION, CURRENT_VERSION, openLine } from '../format.ts';
import { findLineFault, isEnvelopeRead, isHeaderRead } from './fields/line-fields.ts';
import { isCompactionOutput, isHookPrompt, isTyped } from './typed.ts';
import { getCallId } from './turn-parts.ts';

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

/** `customType` of an item that people are shown, since no event in the file repeats it. */
export const SHOWN = 'shown';

type Facts = Partial<Pick<Entry, 'role' | 'callId' | 'model' | 'customType'>>;

/** The index entry of a parsed line in a file of some version, without its place in the tree. */
export function toEntry(value: JsonObject, span: LineSpan, version: number): Entry {
  const { type, kind, payload } = openLine(value);
  if (hasBadEnvelope(value) || lacksEnvelope(value, version)) return toSkipped(value, span);
  switch (type) {
    case 'response_item':
      return makeEntry(
        value,
        span,
        ITEM_NAMES.get(kind ?? '') ?? kind ?? type,
        readItem(value, version),
      );
    case 'event_msg':
      if (kind === 'thread_rolled_back' && findLineFault(value) !== undefined) break;
      return makeEvent(value, span, kind, payload);
    case 'compacted': {
      if (findLineFault(value) !== undefined) break;
      const replaces = isArray(payload['replacement_history']);
      return makeEntry(value, span, 'compaction', { customType: replaces ? REPLACES : undefined });
    }
    case 'turn_context':
      return makeEntry(value, span, type, { model: readModel(payload) });
    case 'world_state':
      return makeEntry(value, span, type, {
        customType: payload['full'] === true ? FULL : undefined,
      });
    case 'session_meta': {
      const restarts = version >= CURRENT_VERSION && isHeaderRead(payload);
      return makeEntry(value, span, type, { customType: restarts ? RESTART : undefined });
    }
    default:
      return makeEntry(value, span, type || 'unknown');
  }
  return toSkipped(value, span);
}

/** The index entry of a line that Codex skips. */
export function toSkipped(value: JsonObject, span: LineSpan): Entry {
  return makeEntry(value, span, 'unknown');
}

/** All entries are made with the same members: see `docs/performance.md`, Spreads. */
function makeEntry(
  value: JsonObject,
  { line, offset, length }: LineSpan,
  type: string,
  facts: Facts = {},
): Entry {
  return {
    id: undefined,
    parentId: null,
    type,
    role: facts.role,
    time: toTime(value['timestamp']),
    line,
    offset,
    length,
    model: facts.model,
    customType: facts.customType,
    callId: facts.callId,
    isCopied: undefined,
  };
}

function hasBadEnvelope(value: JsonObject): boolean {
  return 'payload' in value && typeof value['type'] === 'string' && !isEnvelopeRead(value);
}

function lacksEnvelope(value: JsonObject, version: number): boolean {
  return version > BARE_VERSION && !('payload' in value);
}

/** Items that are called as a line is. */
const ITEM_NAMES: ReadonlyMap<string, string> = new Map([['compaction', 'compaction_summary']]);

function readItem(value: JsonObject, version: number): Facts {
  const { payload: item } = openLine(value);
  const callId = getCallId(item);
  if (item['type'] === 'reasoning')
    return { callId, customType: isSealed(item) ? SEALED : undefined };
  if (item['type'] !== 'message') return { callId };
  const role = getString(item, 'role');
  if (role === 'assistant' && !isCompactionOutput(value)) return { role, callId };
  if (isTyped(item)) return { role: 'user' };
  const isShown = version < CURRENT_VERSION && isHookPrompt(item);
  return { role: HARNESS, customType: isShown ? SHOWN : undefined };
}

function isSealed({ summary, content }: JsonObject): boolean {
  return [summary, content].every((list) => !isArray(list) || list.length === 0);
}

/** Events that are called as an item of the Responses API is. */
const EVENT_NAMES: ReadonlyMap<string, string> = new Map([
  ['agent_message', 'agent_message_shown'],
]);

function makeEvent(
  value: JsonObject,
  span: LineSpan,
  kind: string | undefined,
  event: JsonObject,
): Entry {
  if (kind !== 'item_completed') {
    const type = EVENT_NAMES.get(kind ?? '') ?? kind ?? 'event_msg';
    return makeEntry(value, span, type, { callId: getString(event, 'call_id') });
  }
  const item = getObject(event, 'item') ?? {};
  return makeEntry(value, span, getString(item, 'type') ?? kind, { callId: getString(item, 'id') });
}

function readModel(payload: JsonObject): ModelRef | undefined {
  const modelId = getString(payload, 'model');
  return modelId === undefined ? undefined : { provider: undefined, modelId };
}
