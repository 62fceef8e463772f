import { isObject, type JsonObject } from '../../../../jsonl/edit/json.ts';
import type { Members } from '../../../../jsonl/scanner/plan.ts';
import {
  array,
  boolean,
  type FieldCheck,
  nested,
  object,
  optional,
  text,
  toFields,
} from '../../../../rules/field-checks.ts';
import {
  absentOr,
  any,
  integer,
  listOf,
  oneOf,
  toShapes,
  typed,
  uuid,
  whole,
} from './item-fields.ts';
import { ATTRIBUTION, SETTINGS } from './setting-fields.ts';
import { TOTALS } from './usage-fields.ts';

// The fields that 0.171 requires of an event, and the types of those that it has recorded.

const count = optional(integer);
const phase = optional(oneOf('commentary', 'final_answer'));

/** A path, or a file URL: whether it is one that this system can have, only the client knows. */
const path = text;

const PROMPT_PART = toShapes({
  text: { text, text_elements: absentOr(array) },
  image: {},
  local_image: {},
  audio: {},
  local_audio: {},
  skill: {},
  mention: {},
});

/** The parts of a turn that people are shown. */
const SHOWN = toShapes({
  UserMessage: { id: text, content: listOf(typed(PROMPT_PART)) },
  FunctionCallOutput: { id: text, name: text, output: any },
  HookPrompt: { id: text, fragments: array },
  AgentMessage: {
    id: text,
    content: listOf(typed(toShapes({ Text: { text } }))),
    phase,
    memory_citation: optional(object),
  },
  Plan: { id: text, text },
  Reasoning: { id: text, summary_text: listOf(text), raw_content: absentOr(listOf(text)) },
  CommandExecution: {
    id: text,
    process_id: optional(text),
    command: listOf(text),
    cwd: path,
    parsed_cmd: listOf(object),
    source: text,
    status: text,
    aggregated_output: optional(text),
    exit_code: count,
    duration: optional(nested(toFields({ secs: whole, nanos: whole }))),
  },
  DynamicToolCall: { id: text, tool: text, arguments: any, status: text },
  CollabAgentToolCall: {
    id: text,
    tool: text,
    status: text,
    sender_thread_id: uuid,
    receiver_thread_ids: absentOr(listOf(uuid)),
    receiver_agents: absentOr(
      listOf(nested(toFields({ thread_id: uuid, agent_nickname: optional(text) }))),
    ),
    prompt: optional(text),
    model: optional(text),
    reasoning_effort: optional(text),
    agents_states: absentOr(object),
  },
  SubAgentActivity: {
    id: text,
    kind: text,
    agent_thread_id: uuid,
    agent_path: text,
    model: optional(text),
    reasoning_effort: optional(text),
  },
  WebSearch: {
    id: text,
    query: text,
    action: nested(
      toFields({ type: text, query: optional(text), queries: optional(listOf(text)) }),
    ),
  },
  ImageView: { id: text, path },
  ImageGeneration: { id: text, status: text, result: text },
  ExitedReviewMode: { id: text },
  FileChange: {
    id: text,
    changes: object,
    status: optional(text),
    stdout: optional(text),
    stderr: optional(text),
  },
  McpToolCall: { id: text, server: text, tool: text, arguments: any, status: text },
  ContextCompaction: { id: text },
});

/** One of a kind that is not known here has at least a kind. */
const shown: FieldCheck = (value) => {
  if (!isObject(value)) return object(value);
  return SHOWN.get(value['type'])?.(value) ?? text(value['type']);
};

const STARTED = {
  turn_id: text,
  root_turn_id: optional(text),
  turn_attribution: optional(ATTRIBUTION),
  started_at: count,
  model_context_window: count,
  collaboration_mode_kind: absentOr(text),
};

const COMPLETED = {
  turn_id: text,
  root_turn_id: optional(text),
  last_agent_message: optional(text),
  started_at: count,
  completed_at: count,
  duration_ms: count,
  time_to_first_token_ms: count,
};

const EVENTS = toShapes({
  user_message: {
    message: text,
    images: optional(listOf(text)),
    audio: optional(array),
    local_audio: absentOr(array),
    local_images: absentOr(array),
    text_elements: absentOr(array),
  },
  agent_message: { message: text, phase, memory_citation: optional(object) },
  agent_reasoning: { text },
  agent_reasoning_raw_content: { text },
  thread_rolled_back: { num_turns: whole },
  task_started: STARTED,
  turn_started: STARTED,
  task_complete: COMPLETED,
  turn_complete: COMPLETED,
  turn_aborted: {
    turn_id: optional(text),
    root_turn_id: optional(text),
    reason: text,
    started_at: count,
    completed_at: count,
    duration_ms: count,
  },
  thread_settings_applied: { thread_id: optional(uuid), thread_settings: SETTINGS },
  token_count: {
    info: optional(
      nested(
        toFields({
          total_token_usage: TOTALS,
          last_token_usage: TOTALS,
          model_context_window: count,
          last_usage_includes_reasoning: optional(boolean),
        }),
      ),
    ),
    rate_limits: optional(object),
  },
  item_completed: {
    thread_id: uuid,
    turn_id: text,
    started_at_ms: count,
    completed_at_ms: absentOr(integer),
    item: shown,
  },
});

/** Returns the reason why Codex skips the line of an event; undefined if it reads it, or knows no such event. */
export function findEventFault(event: JsonObject): string | undefined {
  return EVENTS.get(event['type'])?.(event) ?? text(event['type']);
}

/** The members of the payload of an event that decide whether Codex reads its line, but for those of settings. */
export const EVENT_FIELDS: Members = {
  message: 'start',
  images: {},
  audio: 'start',
  local_audio: 'start',
  local_images: 'start',
  text_elements: 'start',
  memory_citation: 'start',
  phase: 'whole',
  text: 'start',
  num_turns: 'whole',
  turn_attribution: {
    turn_id: 'start',
    turn_trigger: 'start',
    parent_turn_id: 'start',
    initiating_agent_path: 'start',
    root_turn_id: 'start',
  },
  model_context_window: 'whole',
  collaboration_mode_kind: 'start',
  last_agent_message: 'start',
  started_at: 'whole',
  completed_at: 'whole',
  duration_ms: 'whole',
  time_to_first_token_ms: 'whole',
  reason: 'start',
  info: {
    total_token_usage: 'whole',
    last_token_usage: 'whole',
    model_context_window: 'whole',
    last_usage_includes_reasoning: 'whole',
  },
  rate_limits: 'start',
  started_at_ms: 'whole',
  completed_at_ms: 'whole',
  item: {
    type: 'whole',
    id: 'start',
    content: { type: 'whole', text: 'start', text_elements: 'start' },
    name: 'start',
    output: 'start',
    fragments: 'start',
    phase: 'whole',
    memory_citation: 'start',
    text: 'start',
    summary_text: {},
    raw_content: {},
    process_id: 'start',
    command: {},
    cwd: 'start',
    parsed_cmd: {},
    source: 'start',
    status: 'start',
    aggregated_output: 'start',
    exit_code: 'whole',
    duration: { secs: 'whole', nanos: 'whole' },
    tool: 'start',
    arguments: 'start',
    sender_thread_id: 'whole',
    receiver_thread_ids: 'whole',
    receiver_agents: { thread_id: 'whole', agent_nickname: 'start' },
    prompt: 'start',
    model: 'start',
    reasoning_effort: 'start',
    agents_states: 'start',
    kind: 'start',
    agent_thread_id: 'whole',
    agent_path: 'start',
    query: 'start',
    action: { type: 'start', query: 'start', queries: {} },
    path: 'start',
    result: 'start',
    changes: 'start',
    stdout: 'start',
    stderr: 'start',
    server: 'start',
  },
};
