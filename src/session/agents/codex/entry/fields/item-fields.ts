import { isArray, isObject, type JsonValue } from '../../../../jsonl/edit/json.ts';
import type { Members } from '../../../../jsonl/scanner/plan.ts';
import {
  array,
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

const any: FieldCheck = (value) => (value === undefined ? 'is missing' : undefined);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): boolean {
  return typeof value === 'string' && UUID.test(value);
}

export const isWhole = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
export const whole = must(isWhole, 'a whole number');

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
function typed(shapes: ReadonlyMap<JsonValue | undefined, FieldCheck>): FieldCheck {
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
  compaction: { id: optional(text), encrypted_content: text },
  compaction_summary: { id: optional(text), encrypted_content: text },
  tool_search_call: { ...OF_EVERY_ITEM, call_id: optional(text), execution: text, arguments: any },
});

export const item: FieldCheck = (value) => {
  if (!isObject(value)) return object(value);
  return ITEMS.get(value['type'])?.(value) ?? text(value['type']);
};

const PART: Members = {
  type: 'whole',
  text: 'start',
  image_url: 'start',
  detail: 'whole',
  encrypted_content: 'start',
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
