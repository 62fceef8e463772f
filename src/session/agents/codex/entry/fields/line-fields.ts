import { isObject, type JsonObject } from '../../../../jsonl/edit/json.ts';
import {
  type FieldCheck,
  findFaults,
  must,
  nested,
  object,
  optional,
  text,
  toFields,
} from '../../../../rules/field-checks.ts';
import type { Members } from '../../../../jsonl/scanner/plan.ts';
import { getVersion, openLine, UNKNOWN_VERSION } from '../../format.ts';
import { COMPACTED_FIELDS, findCompactedFault } from './compacted-fields.ts';
import { isUuid, isWhole, item, ITEM_FIELDS, listOf, toShapes, whole } from './item-fields.ts';

const EVENTS = toShapes({
  user_message: { message: text, images: optional(listOf(text)) },
  agent_message: { message: text },
  agent_reasoning: { text },
  thread_rolled_back: { num_turns: whole },
  item_completed: { thread_id: text, turn_id: text, item: nested(toFields({ type: text })) },
});

const event: FieldCheck = (value) => {
  if (!isObject(value)) return object(value);
  return EVENTS.get(value['type'])?.(value) ?? text(value['type']);
};

const ENVELOPE = toFields({
  timestamp: text,
  ordinal: optional(whole),
  payload: object,
  metadata: optional(object),
});

/** The members of a line that decide whether Codex reads it. */
export const LINE_FIELDS: Members = {
  type: 'whole',
  timestamp: 'whole',
  ordinal: 'whole',
  metadata: 'start',
  payload: {
    ...ITEM_FIELDS,
    ...COMPACTED_FIELDS,
    message: 'start',
    images: {},
    text: 'start',
    num_turns: 'whole',
    thread_id: 'start',
    turn_id: 'start',
    item: { type: 'whole' },
  },
};

/** The members of a `session_meta` that decide whether Codex takes it for a header. */
export const HEADER_FIELDS: Members = {
  id: 'whole',
  timestamp: 'start',
  cwd: 'start',
  originator: 'start',
  cli_version: 'start',
  source: 'whole',
  model_provider: 'start',
  base_instructions: { text: 'start' },
  git: 'start',
  history_mode: 'whole',
};

/** An object says in its one member what kind of source it is. */
function isNamed(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/** The fields that a `session_meta` needs so that Codex opens the thread. */
const HEADER = toFields({
  id: must(isUuid, 'a UUID'),
  timestamp: text,
  cwd: text,
  originator: text,
  cli_version: text,
  source: (value) => (value === undefined || isNamed(value) ? undefined : text(value)),
  model_provider: optional(text),
  base_instructions: optional(nested(toFields({ text }))),
  git: optional(object),
  history_mode: (value) => (value === undefined ? undefined : text(value)),
});

/**
 * Returns the reason why Codex does not accept the payload of a `session_meta` as a header; undefined if it
 * does.
 */
export function findHeaderFault(payload: JsonObject): string | undefined {
  return findFaults(payload, HEADER);
}

/** Returns whether Codex takes the payload of a `session_meta` for a header, wherever it stands. */
export function isHeaderRead(payload: JsonObject): boolean {
  return findHeaderFault(payload) === undefined && getVersion(payload) !== UNKNOWN_VERSION;
}

/** Returns whether Codex reads the envelope of a line at all. */
export function isEnvelopeRead({ timestamp, ordinal }: JsonObject): boolean {
  const isCounted = ordinal === undefined || ordinal === null || isWhole(ordinal);
  return typeof timestamp === 'string' && isCounted;
}

/**
 * Returns the reason why Codex skips a line in an envelope; undefined if it reads it, or knows no such type.
 */
export function findLineFault(value: JsonObject): string | undefined {
  const fault = findFaults(value, ENVELOPE);
  if (fault !== undefined) return fault;
  const { type, payload } = openLine(value);
  switch (type) {
    case 'response_item':
      return inPayload(item(payload));
    case 'event_msg':
      return inPayload(event(payload));
    case 'compacted':
      return findCompactedFault(payload);
    default:
      return undefined;
  }
}

function inPayload(fault: string | undefined): string | undefined {
  return fault && `payload ${fault}`;
}
