import { isArray, type JsonObject } from '../../../../jsonl/edit/json.ts';
import type { Members } from '../../../../jsonl/scanner/plan.ts';
import {
  array,
  boolean,
  findFaults,
  must,
  nested,
  optional,
  text,
  toFields,
} from '../../../../rules/field-checks.ts';
import {
  absentOr,
  isWhole,
  item,
  ITEM_FIELDS,
  listOf,
  note,
  NOTE_FIELDS,
  oneOf,
  uuid,
  whole,
} from './item-fields.ts';
import { USAGE_RECORD } from './usage-fields.ts';

// Every field of a recorded line was removed and changed; the lists in it that were
// empty are taken as they are.

const agentPath = must(
  (value) => typeof value === 'string' && (value === '/root' || value.startsWith('/root/')),
  'a path below /root',
);

const RETAINED_MESSAGES = absentOr(
  listOf(
    nested(
      toFields({
        revision: optional(text),
        order: absentOr(whole),
        turn_id: text,
        message_id: optional(text),
        text,
        complete: boolean,
      }),
    ),
  ),
);

const RETAINED = nested(
  toFields({
    verified_answers: array,
    incomplete: boolean,
    user_messages: RETAINED_MESSAGES,
    user_messages_incomplete: absentOr(boolean),
    assistant_messages: RETAINED_MESSAGES,
    assistant_messages_incomplete: absentOr(boolean),
    next_order: absentOr(whole),
  }),
);

const RESUMED = nested(
  toFields({
    dynamic_tools: optional(nested(toFields({ thread_id: uuid, tools: array }))),
    multi_agent_version: optional(oneOf('v1', 'v2', 'disabled')),
    last_started_turn_id: optional(text),
    turn_attribution: optional(
      nested(
        toFields({
          turn_id: text,
          turn_trigger: optional(text),
          parent_turn_id: optional(text),
          initiating_agent_path: optional(agentPath),
          root_turn_id: optional(text),
        }),
      ),
    ),
    previous_turn_settings: optional(
      nested(
        toFields({
          model: text,
          comp_hash: optional(text),
          realtime_active: optional(boolean),
        }),
      ),
    ),
  }),
);

const COMPACTED = toFields({
  message: text,
  replacement_history: optional(listOf(item)),
  replacement_history_metadata: optional(listOf(note)),
  retained_context: optional(RETAINED),
  window_number: optional(whole),
  first_window_id: optional(text),
  previous_window_id: optional(text),
  window_id: optional(must((value) => typeof value === 'string' || isWhole(value), 'an id')),
  compaction_response_id: optional(text),
  latest_token_usage_record: optional(nested(USAGE_RECORD)),
  resume_metadata: optional(RESUMED),
});

/** Returns the reason why Codex skips a `compacted` line with this payload; undefined if it reads it. */
export function findCompactedFault(payload: JsonObject): string | undefined {
  const fault = findFaults(payload, COMPACTED);
  if (fault !== undefined) return fault;
  const { replacement_history: items, replacement_history_metadata: notes } = payload;
  if (!isArray(notes) || (isArray(items) && notes.length === items.length)) return undefined;
  return 'replacement_history_metadata is not as long as replacement_history';
}

const MESSAGES: Members = {
  revision: 'start',
  order: 'whole',
  turn_id: 'start',
  message_id: 'start',
  text: 'start',
  complete: 'whole',
};

/** The members of the payload of a `compacted` line that decide whether Codex reads it. */
export const COMPACTED_FIELDS: Members = {
  message: 'start',
  replacement_history: ITEM_FIELDS,
  replacement_history_metadata: NOTE_FIELDS,
  retained_context: {
    verified_answers: 'start',
    incomplete: 'whole',
    user_messages: MESSAGES,
    user_messages_incomplete: 'whole',
    assistant_messages: MESSAGES,
    assistant_messages_incomplete: 'whole',
    next_order: 'whole',
  },
  window_number: 'whole',
  first_window_id: 'start',
  previous_window_id: 'start',
  window_id: 'start',
  compaction_response_id: 'start',
  latest_token_usage_record: 'whole',
  resume_metadata: {
    dynamic_tools: { thread_id: 'whole', tools: 'start' },
    multi_agent_version: 'whole',
    last_started_turn_id: 'start',
    turn_attribution: 'whole',
    previous_turn_settings: 'whole',
  },
};
