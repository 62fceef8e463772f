import { isArray, isObject, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import {
  array,
  type FieldCheck,
  findFaults,
  must,
  nested,
  object,
  optional,
  text,
  toFields,
} from '../../../rules/field-checks.ts';
import type { Members } from '../../../jsonl/scanner/plan.ts';
import { openLine } from '../format.ts';

// The fields that 0.169 requires of a line: tried with every field of every recorded item removed and
// changed. It passes over a line in which one is not as it expects, as if the line did not parse.

const any: FieldCheck = (value) => (value === undefined ? 'is missing' : undefined);
const isWhole = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const whole = must(isWhole, 'a whole number');

const oneOf = (...values: readonly unknown[]): FieldCheck =>
  must((value) => values.includes(value), 'a known one');

/** A list of which every member passes. */
function listOf(check: FieldCheck): FieldCheck {
  return (value) => {
    if (!isArray(value)) return array(value);
    for (const [index, one] of value.entries()) {
      const fault = check(one);
      if (fault !== undefined) return `${index + 1} ${fault}`;
    }
    return undefined;
  };
}

/** An object whose `type` is one of these. */
function typed(shapes: ReadonlyMap<JsonValue | undefined, FieldCheck>): FieldCheck {
  return (value) => {
    if (!isObject(value)) return object(value);
    return (
      shapes.get(value['type'])?.(value) ??
      (shapes.has(value['type']) ? undefined : 'is of an unknown type')
    );
  };
}

const toShapes = (shapes: Readonly<Record<string, Readonly<Record<string, FieldCheck>>>>) =>
  new Map<JsonValue | undefined, FieldCheck>(
    Object.entries(shapes).map(([type, fields]) => [type, nested(toFields(fields))]),
  );

const IMAGE = { image_url: text, detail: optional(oneOf('auto', 'low', 'high', 'original')) };

const part = typed(toShapes({ input_text: { text }, input_image: IMAGE, output_text: { text } }));
const outputPart = typed(
  toShapes({
    input_text: { text },
    input_image: IMAGE,
    encrypted_content: { encrypted_content: text },
  }),
);
const agentPart = typed(
  toShapes({ input_text: { text }, encrypted_content: { encrypted_content: text } }),
);
const thought = typed(toShapes({ summary_text: { text } }));
const output: FieldCheck = (value) =>
  typeof value === 'string' ? undefined : listOf(outputPart)(value);

const OF_EVERY_ITEM = { id: optional(text), status: optional(text) };

/** The items of the Responses API. */
const ITEMS = toShapes({
  message: {
    ...OF_EVERY_ITEM,
    role: text,
    content: listOf(part),
    phase: optional(oneOf('commentary', 'final_answer')),
  },
  reasoning: {
    id: optional(text),
    summary: listOf(thought),
    content: optional(array),
    encrypted_content: optional(text),
  },
  function_call: { id: optional(text), name: text, arguments: text, call_id: text },
  function_call_output: { id: optional(text), call_id: optional(text), output },
  custom_tool_call: { ...OF_EVERY_ITEM, call_id: text, name: text, input: text },
  custom_tool_call_output: { id: optional(text), call_id: text, output },
  local_shell_call: {
    id: optional(text),
    call_id: optional(text),
    status: oneOf('completed', 'in_progress', 'incomplete'),
    action: nested(toFields({ type: oneOf('exec'), command: listOf(text) })),
  },
  web_search_call: { ...OF_EVERY_ITEM, action: optional(nested(toFields({ type: text }))) },
  image_generation_call: {
    id: optional(text),
    status: text,
    revised_prompt: optional(text),
    result: text,
  },
  agent_message: { id: optional(text), author: text, recipient: text, content: listOf(agentPart) },
  additional_tools: { id: optional(text), role: text, tools: array },
  tool_search_call: { ...OF_EVERY_ITEM, call_id: optional(text), execution: text, arguments: any },
});

const item: FieldCheck = (value) => {
  if (!isObject(value)) return object(value);
  return ITEMS.get(value['type'])?.(value) ?? text(value['type']);
};

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

const COMPACTED = toFields({ message: text, replacement_history: optional(listOf(item)) });

const ENVELOPE = toFields({
  timestamp: text,
  ordinal: optional(whole),
  payload: object,
  metadata: optional(object),
});

const PART: Members = {
  type: 'whole',
  text: 'start',
  image_url: 'start',
  detail: 'whole',
  encrypted_content: 'start',
};

const ITEM: Members = {
  type: 'whole',
  id: 'start',
  status: 'whole',
  role: 'start',
  phase: 'whole',
  content: PART,
  summary: PART,
  encrypted_content: 'start',
  name: 'start',
  arguments: 'start',
  call_id: 'start',
  output: PART,
  input: 'start',
  action: { type: 'whole', command: {} },
  revised_prompt: 'start',
  result: 'start',
  author: 'start',
  recipient: 'start',
  tools: 'start',
  execution: 'start',
};

/** The members of a line that decide whether Codex reads it. */
export const LINE_FIELDS: Members = {
  type: 'whole',
  timestamp: 'whole',
  ordinal: 'whole',
  metadata: 'start',
  payload: {
    ...ITEM,
    message: 'start',
    images: {},
    text: 'start',
    num_turns: 'whole',
    thread_id: 'start',
    turn_id: 'start',
    item: { type: 'whole' },
    replacement_history: ITEM,
  },
};

/** The members of a `session_meta` that decide whether Codex takes it for a header. */
export const HEADER_FIELDS: Members = {
  id: 'whole',
  timestamp: 'start',
  cwd: 'start',
  originator: 'start',
  cli_version: 'start',
  source: 'start',
  base_instructions: { text: 'start' },
  git: 'start',
  history_mode: 'whole',
};

/** The fields that a `session_meta` needs so that Codex opens the thread. */
const HEADER = toFields({
  id: must(isUuid, 'a UUID'),
  timestamp: text,
  cwd: text,
  originator: text,
  cli_version: text,
  source: (value) => (value === undefined || isObject(value) ? undefined : text(value)),
  base_instructions: optional(nested(toFields({ text }))),
  git: optional(object),
});

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

/**
 * Returns the reason why Codex does not accept the payload of a `session_meta` as a header; undefined if it
 * does.
 */
export function findHeaderFault(payload: JsonObject): string | undefined {
  return findFaults(payload, HEADER);
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
      return findFaults(payload, COMPACTED);
    default:
      return undefined;
  }
}

function inPayload(fault: string | undefined): string | undefined {
  return fault && `payload ${fault}`;
}

/** Returns whether a text of a value has half of a surrogate pair: for Codex, that is not JSON. */
export function hasHalfPair(value: JsonObject): boolean {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      if (HALF.test(next)) return true;
    } else if (isArray(next)) {
      for (const one of next) pending.push(one);
    } else if (isObject(next)) {
      for (const [key, one] of Object.entries(next)) pending.push(key, one ?? null);
    }
  }
  return false;
}

const HALF = /\p{Cs}/u;
