// @ts-check
// What a compaction of Codex holds besides its summary and the new context.
import { boolean, fields, list, listOf, maybe, oneOf, says, text, whole } from './shapes.mjs';

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
export const uuid = { ...text, pattern: UUID };
const integer = { type: 'integer' };

export const totals = fields({
  input_tokens: integer,
  cached_input_tokens: integer,
  'cache_write_input_tokens?': integer,
  output_tokens: integer,
  reasoning_output_tokens: integer,
  total_tokens: integer,
});

const keptMessages = listOf(
  fields({
    'revision?': maybe(text),
    'order?': whole,
    turn_id: text,
    'message_id?': maybe(text),
    text,
    complete: boolean,
  }),
);

/** What the client notes of an item that it is sent. It takes an empty list for it, too. */
export const note = {
  type: ['object', 'array'],
  maxItems: 0,
  properties: fields({
    'history_sequence?': maybe(whole),
    'sampled_through_sequence?': maybe(whole),
    'retained_source?': maybe(
      fields({
        id: fields({ message_id: text, turn_id: text, role: oneOf('user', 'assistant') }),
        revision: text,
        complete: boolean,
      }),
    ),
    'client_authored?': boolean,
    'user_input_order?': maybe(whole),
    'fallback_token_limit_override?': maybe(whole),
  }).properties,
};

/** The fields of a compaction since 0.169, apart from the new context. */
export const COMPACTION = {
  'replacement_history_metadata?': says(
    'Of each message of replacement_history, in the same order.',
    maybe(listOf(note)),
  ),
  'retained_context?': says(
    'The prompts and answers that the compaction is made from.',
    maybe(
      fields({
        verified_answers: list,
        incomplete: boolean,
        'user_messages?': keptMessages,
        'user_messages_incomplete?': boolean,
        'assistant_messages?': keptMessages,
        'assistant_messages_incomplete?': boolean,
        'next_order?': whole,
      }),
    ),
  ),
  'window_number?': says('Counts the compactions of the thread.', maybe(whole)),
  'first_window_id?': says('The context before the first one.', maybe(text)),
  'previous_window_id?': says('The context before this one.', maybe(text)),
  'window_id?': says('The context from here on.', {
    anyOf: [maybe(text), whole],
  }),
  'compaction_response_id?': says('The answer with the summary.', maybe(text)),
  'latest_token_usage_record?': says(
    'The last token_usage_record before it.',
    maybe(
      fields({
        thread_id: uuid,
        turn_id: text,
        session_id: uuid,
        root_turn_id: text,
        response_id: text,
        usage: totals,
        turn_token_usage: totals,
        thread_token_usage: totals,
      }),
    ),
  ),
  'resume_metadata?': says(
    'The facts that the client needs to continue here without the lines before.',
    maybe(
      fields({
        'dynamic_tools?': maybe(fields({ thread_id: uuid, tools: list })),
        'multi_agent_version?': { enum: ['v1', 'v2', 'disabled', null] },
        'last_started_turn_id?': maybe(text),
        'turn_attribution?': maybe(
          fields({
            turn_id: text,
            'turn_trigger?': maybe(text),
            'parent_turn_id?': maybe(text),
            'initiating_agent_path?': maybe({ ...text, pattern: '^/root(/|$)' }),
            'root_turn_id?': maybe(text),
          }),
        ),
        'previous_turn_settings?': maybe(
          fields({
            model: text,
            'comp_hash?': maybe(text),
            'realtime_active?': maybe(boolean),
          }),
        ),
      }),
    ),
  ),
};
