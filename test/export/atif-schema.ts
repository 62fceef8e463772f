/**
 * ATIF 1.7 as its specification has it (harbor, rfcs/0001-trajectory-format): every object is
 * closed, and what only agents may have is refused elsewhere.
 */
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const extra = { type: 'object' };

function closed(properties: object, required: readonly string[]): object {
  return { type: 'object', additionalProperties: false, properties, required };
}

const source = closed(
  { media_type: { enum: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] }, path: text },
  ['media_type', 'path'],
);
const part = {
  anyOf: [
    closed({ type: { const: 'text' }, text }, ['type', 'text']),
    closed({ type: { const: 'image' }, source }, ['type', 'source']),
  ],
};
const message = { anyOf: [text, { type: 'array', items: part }] };
const metrics = closed(
  {
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: count,
    cost_usd: { type: 'number' },
    extra,
  },
  [],
);
const toolCall = closed({ tool_call_id: text, function_name: text, arguments: extra, extra }, [
  'tool_call_id',
  'function_name',
  'arguments',
]);
const observation = closed(
  {
    results: {
      type: 'array',
      items: closed({ source_call_id: text, content: message, extra }, []),
    },
  },
  ['results'],
);
const common = {
  step_id: { type: 'integer', minimum: 1 },
  message,
  timestamp: { type: 'string', format: 'date-time' },
  is_copied_context: { type: 'boolean' },
  llm_call_count: count,
  observation,
  extra,
};
const required = ['step_id', 'source', 'message'];
const agentStep = closed(
  {
    ...common,
    source: { const: 'agent' },
    model_name: text,
    reasoning_effort: { type: ['string', 'number'] },
    reasoning_content: text,
    tool_calls: { type: 'array', items: toolCall },
    metrics,
  },
  required,
);
const otherStep = closed({ ...common, source: { enum: ['system', 'user'] } }, required);

export const ATIF_SCHEMA = closed(
  {
    schema_version: { const: 'ATIF-v1.7' },
    session_id: text,
    agent: closed(
      {
        name: text,
        version: text,
        model_name: text,
        tool_definitions: { type: 'array', items: extra },
        extra,
      },
      ['name', 'version'],
    ),
    steps: { type: 'array', minItems: 1, items: { anyOf: [agentStep, otherStep] } },
    notes: text,
    final_metrics: closed(
      {
        total_prompt_tokens: count,
        total_completion_tokens: count,
        total_cached_tokens: count,
        total_cost_usd: { type: 'number' },
        total_steps: count,
        extra,
      },
      [],
    ),
    extra,
  },
  ['schema_version', 'agent', 'steps'],
);
