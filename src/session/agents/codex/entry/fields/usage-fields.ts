import { nested, text, toFields } from '../../../../rules/field-checks.ts';
import { absentOr, integer, uuid } from './item-fields.ts';

/** Tokens, by kind. */
export const TOTALS = nested(
  toFields({
    input_tokens: integer,
    cached_input_tokens: integer,
    cache_write_input_tokens: absentOr(integer),
    output_tokens: integer,
    reasoning_output_tokens: integer,
    total_tokens: integer,
  }),
);

/** The record of what one response has used. */
export const USAGE_RECORD = toFields({
  thread_id: uuid,
  turn_id: text,
  session_id: uuid,
  root_turn_id: text,
  response_id: text,
  usage: TOTALS,
  turn_token_usage: TOTALS,
  thread_token_usage: TOTALS,
});
