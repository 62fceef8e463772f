import { isArray, isObject, type JsonValue } from '../../../../jsonl/edit/json.ts';
import type { Members } from '../../../../jsonl/scanner/plan.ts';
import { PASSTHROUGH } from '../typed.ts';
import {
  array,
  boolean,
  type FieldCheck,
  must,
  nested,
  object,
  optional,
  text,
  toFields,
} from '../../../../rules/field-checks.ts';

// The fields that 0.169 requires of a line: tried with every field of every recorded item removed and
// changed. It skips a line in which one is not as it expects, as if the line did not parse.

export const any: FieldCheck = (value) => (value === undefined ? 'is missing' : undefined);

/** Absent as well as right, but not null. */
export function absentOr(check: FieldCheck): FieldCheck {
  return (value) => (value === undefined ? undefined : check(value));
}

/** An object with these fields, none of which has to be there: Codex takes an empty list for it. */
function struct(checks: Readonly<Record<string, FieldCheck>>): FieldCheck {
  const check = nested(toFields(checks));
  return (value) => (isArray(value) && value.length === 0 ? undefined : check(value));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

export const isWhole = (value: unknown): boolean =>
  Number.isSafeInteger(value) && Number(value) >= 0;
export const whole = must(isWhole, 'a whole number');
export const integer = must((value) => Number.isInteger(value), 'a whole number');
export const uuid = must(isUuid, 'a UUID');

export const oneOf = (...values: readonly unknown[]): FieldCheck =>
  must((value) => values.includes(value), 'a known one');

/** A list of which every member passes. */
export function listOf(check: FieldCheck): FieldCheck {
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
export function typed(shapes: ReadonlyMap<JsonValue | undefined, FieldCheck>): FieldCheck {
  return (value) => {
    if (!isObject(value)) return object(value);
    return (
      shapes.get(value['type'])?.(value) ??
      (shapes.has(value['type']) ? undefined : 'is of an unknown type')
    );
  };
}

export const toShapes = (shapes: Readonly<Record<string, Readonly<Record<string, FieldCheck>>>>) =>
  new Map<JsonValue | undefined, FieldCheck>(
    Object.entries(shapes).map(([type, fields]) => [type, nested(toFields(fields))]),
  );

const IMAGE = { image_url: text, detail: optional(oneOf('auto', 'low', 'high', 'original')) };

const part = typed(
  toShapes({
    input_text: { text },
    input_image: IMAGE,
    output_text: { text, annotations: optional(array) },
  }),
);
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

const number = must((value) => typeof value === 'number', 'a number');

/** Notes of the client beside an item, which it does not send. */
const NOTED = optional(struct({ turn_id: optional(text), create_time: optional(number) }));

const WITH_ID = { id: optional(text), [PASSTHROUGH]: NOTED };
const OF_EVERY_ITEM = { ...WITH_ID, status: optional(text) };

/** The items of the Responses API. */
const ITEMS = toShapes({
  message: {
    ...OF_EVERY_ITEM,
    role: text,
    content: listOf(part),
    phase: optional(oneOf('commentary', 'final_answer')),
    encrypted_content: optional(text),
  },
  reasoning: {
    ...WITH_ID,
    summary: listOf(thought),
    content: optional(array),
    encrypted_content: optional(text),
  },
  function_call: {
    ...WITH_ID,
    name: text,
    namespace: optional(text),
    arguments: text,
    call_id: text,
    encrypted_content: optional(text),
  },
  function_call_output: { ...WITH_ID, call_id: optional(text), output },
  custom_tool_call: { ...OF_EVERY_ITEM, call_id: text, name: text, input: text },
  custom_tool_call_output: { ...WITH_ID, call_id: text, output },
  local_shell_call: {
    ...WITH_ID,
    call_id: optional(text),
    status: oneOf('completed', 'in_progress', 'incomplete'),
    action: nested(
      toFields({
        type: oneOf('exec'),
        command: listOf(text),
        timeout_ms: optional(whole),
        working_directory: optional(text),
        env: optional(object),
        user: optional(text),
      }),
    ),
  },
  web_search_call: {
    ...OF_EVERY_ITEM,
    encrypted_content: optional(text),
    action: optional(
      nested(toFields({ type: text, query: optional(text), queries: optional(listOf(text)) })),
    ),
  },
  image_generation_call: {
    ...WITH_ID,
    encrypted_content: optional(text),
    status: text,
    revised_prompt: optional(text),
    result: text,
  },
  agent_message: { ...WITH_ID, author: text, recipient: text, content: listOf(agentPart) },
  additional_tools: { id: optional(text), role: text, tools: array },
  compaction: { ...WITH_ID, encrypted_content: text },
  compaction_summary: { ...WITH_ID, encrypted_content: text },
  context_compaction: { ...WITH_ID, encrypted_content: optional(text) },
  tool_search_output: {
    ...WITH_ID,
    call_id: optional(text),
    status: text,
    execution: text,
    tools: array,
  },
  tool_search_call: {
    ...OF_EVERY_ITEM,
    call_id: optional(text),
    execution: text,
    arguments: any,
    encrypted_content: optional(text),
  },
});

export const item: FieldCheck = (value) => {
  if (!isObject(value)) return object(value);
  return ITEMS.get(value['type'])?.(value) ?? text(value['type']);
};

/** The notes of the client on each item, beside it or in a list of their own. */
export const note: FieldCheck = struct({
  history_sequence: optional(whole),
  sampled_through_sequence: optional(whole),
  retained_source: optional(
    nested(
      toFields({
        id: nested(toFields({ message_id: text, turn_id: text, role: oneOf('user', 'assistant') })),
        revision: text,
        complete: boolean,
      }),
    ),
  ),
  client_authored: absentOr(boolean),
  user_input_order: optional(whole),
  fallback_token_limit_override: optional(whole),
});

const PART: Members = {
  type: 'whole',
  text: 'start',
  image_url: 'start',
  detail: 'whole',
  annotations: 'start',
  encrypted_content: 'start',
};

/** The members of what the client notes of an item that decide whether it reads the line. */
export const NOTE_FIELDS: Members = {
  history_sequence: 'whole',
  sampled_through_sequence: 'whole',
  retained_source: 'whole',
  client_authored: 'whole',
  user_input_order: 'whole',
  fallback_token_limit_override: 'whole',
};

/** The members of an item that decide whether Codex reads it. */
export const ITEM_FIELDS: Members = {
  type: 'whole',
  id: 'start',
  status: 'whole',
  role: 'start',
  phase: 'whole',
  content: PART,
  summary: PART,
  encrypted_content: 'start',
  name: 'start',
  namespace: 'start',
  arguments: 'start',
  call_id: 'start',
  output: PART,
  input: 'start',
  action: {
    type: 'whole',
    command: {},
    timeout_ms: 'whole',
    working_directory: 'start',
    env: 'start',
    user: 'start',
    query: 'start',
    queries: {},
  },
  revised_prompt: 'start',
  result: 'start',
  author: 'start',
  recipient: 'start',
  tools: 'start',
  execution: 'start',
  [PASSTHROUGH]: { turn_id: 'start', create_time: 'whole', content_item_kinds: 'whole' },
};
