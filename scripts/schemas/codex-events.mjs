// @ts-check
// What the lines of Codex hold that it does not send: what people are shown, and what holds for a turn.
import { totals, uuid } from './codex-compaction.mjs';
import { boolean, fields, list, listOf, maybe, object, says, text, whole } from './shapes.mjs';

const integer = { type: 'integer' };
const count = maybe(integer);
const phase = { enum: ['commentary', 'final_answer', null] };

/** Of a type that is known, what is demanded of it, right here; any other type passes. */
const oneOfThese = (shapes, rest = {}) => ({
  ...fields({ type: text, ...rest }),
  allOf: Object.entries(shapes).map(([name, shape]) => ({
    if: { type: 'object', properties: { type: { const: name } }, required: ['type'] },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: shape,
  })),
});

/** And no other. */
const onlyThese = (shapes) => ({
  ...oneOfThese(shapes),
  properties: { type: { enum: Object.keys(shapes) } },
});

const promptPart = onlyThese({
  text: fields({ text, 'text_elements?': list }),
  image: {},
  local_image: {},
  audio: {},
  local_audio: {},
  skill: {},
  mention: {},
});

const SHOWN = {
  UserMessage: fields({ id: text, content: listOf(promptPart) }),
  FunctionCallOutput: fields({ id: text, name: text, output: true }),
  HookPrompt: fields({ id: text, fragments: list }),
  AgentMessage: fields({
    id: text,
    content: listOf(onlyThese({ Text: fields({ text }) })),
    'phase?': phase,
    'memory_citation?': maybe(object),
  }),
  Plan: fields({ id: text, text }),
  Reasoning: fields({ id: text, summary_text: listOf(text), 'raw_content?': listOf(text) }),
  CommandExecution: fields({
    id: text,
    'process_id?': maybe(text),
    command: listOf(text),
    cwd: text,
    parsed_cmd: listOf(object),
    source: text,
    status: text,
    'aggregated_output?': maybe(text),
    'exit_code?': count,
    'duration?': maybe(fields({ secs: whole, nanos: whole })),
  }),
  DynamicToolCall: fields({ id: text, tool: text, arguments: true, status: text }),
  CollabAgentToolCall: fields({
    id: text,
    tool: text,
    status: text,
    sender_thread_id: uuid,
    'receiver_thread_ids?': listOf(uuid),
    'receiver_agents?': listOf(fields({ thread_id: uuid, 'agent_nickname?': maybe(text) })),
    'prompt?': maybe(text),
    'model?': maybe(text),
    'reasoning_effort?': maybe(text),
    'agents_states?': object,
  }),
  SubAgentActivity: fields({
    id: text,
    kind: text,
    agent_thread_id: uuid,
    agent_path: text,
    'model?': maybe(text),
    'reasoning_effort?': maybe(text),
  }),
  WebSearch: fields({
    id: text,
    query: text,
    action: fields({ type: text, 'query?': maybe(text), 'queries?': maybe(listOf(text)) }),
  }),
  ImageView: fields({ id: text, path: text }),
  ImageGeneration: fields({ id: text, status: text, result: text }),
  ExitedReviewMode: fields({ id: text }),
  FileChange: fields({
    id: text,
    changes: object,
    'status?': maybe(text),
    'stdout?': maybe(text),
    'stderr?': maybe(text),
  }),
  McpToolCall: fields({ id: text, server: text, tool: text, arguments: true, status: text }),
  ContextCompaction: fields({ id: text }),
};

const attribution = fields({
  turn_id: text,
  'turn_trigger?': maybe(text),
  'parent_turn_id?': maybe(text),
  'initiating_agent_path?': maybe(text),
  'root_turn_id?': maybe(text),
});

const started = fields(
  {
    turn_id: says('The turn.', text),
    'root_turn_id?': maybe(text),
    'turn_attribution?': maybe(attribution),
    'started_at?': count,
    'model_context_window?': count,
    'collaboration_mode_kind?': text,
  },
  'A turn begins.',
);

const completed = fields(
  {
    turn_id: says('The turn.', text),
    'root_turn_id?': maybe(text),
    'last_agent_message?': maybe(text),
    'started_at?': count,
    'completed_at?': count,
    'duration_ms?': count,
    'time_to_first_token_ms?': count,
  },
  'A turn ends.',
);

const choice = { type: ['string', 'object'], minProperties: 1 };
const profile = fields({ 'type?': text });
const mode = fields({
  mode: text,
  settings: fields({
    model: text,
    'reasoning_effort?': maybe(text),
    'developer_instructions?': maybe(text),
  }),
});

const settings = fields(
  {
    model: text,
    model_provider_id: text,
    'service_tier?': maybe(text),
    approval_policy: choice,
    approvals_reviewer: text,
    'requested_approvals_reviewer?': maybe(text),
    permission_profile: profile,
    cwd: text,
    'runtime_workspace_roots?': maybe(listOf(text)),
    'reasoning_effort?': maybe(text),
    'reasoning_summary?': maybe(text),
    collaboration_mode: mode,
    'disabled_plugin_ids?': list,
  },
  'What holds from here on.',
);

export const EVENTS = {
  user_message: fields(
    {
      message: text,
      'images?': maybe(listOf(text)),
      'audio?': maybe(list),
      'local_audio?': list,
      'local_images?': says('Paths.', list),
      'text_elements?': says('Parts of the text.', list),
      'kind?': says('plain.', {}),
    },
    'A prompt, in files without ordinals.',
  ),
  agent_message: fields(
    { message: text, 'phase?': phase, 'memory_citation?': maybe(object) },
    'An answer, in files without ordinals.',
  ),
  agent_reasoning: fields({ text }, 'The summary of a thought, in files without ordinals.'),
  agent_reasoning_raw_content: fields({ text }, 'A thought, in files without ordinals.'),
  thread_rolled_back: fields(
    { num_turns: says('How many of the newest turns leave the context.', whole) },
    'A rollback, in files without ordinals.',
  ),
  item_completed: fields(
    {
      thread_id: uuid,
      turn_id: text,
      item: says('As a person is shown it.', oneOfThese(SHOWN)),
      'started_at_ms?': count,
      'completed_at_ms?': integer,
    },
    'Something that a person is shown.',
  ),
  token_count: fields(
    {
      'info?': says(
        'Totals of the thread, and of the last answer; null at first.',
        maybe(
          fields({
            total_token_usage: totals,
            last_token_usage: totals,
            'model_context_window?': count,
            'last_usage_includes_reasoning?': maybe(boolean),
          }),
        ),
      ),
      'rate_limits?': maybe(object),
    },
    'Tokens so far. The same totals are often written again.',
  ),
  task_started: started,
  turn_started: started,
  task_complete: completed,
  turn_complete: completed,
  turn_aborted: fields(
    {
      'turn_id?': says('The turn.', maybe(text)),
      'root_turn_id?': maybe(text),
      reason: says('Why.', text),
      'started_at?': count,
      'completed_at?': count,
      'duration_ms?': count,
    },
    'A turn was cut short.',
  ),
  thread_settings_applied: fields(
    { 'thread_id?': maybe(uuid), thread_settings: settings },
    'The settings with which the thread goes on.',
  ),
};

export const SETTING_LINES = {
  turn_context: fields(
    {
      'turn_id?': says('The turn.', maybe(text)),
      'root_turn_id?': maybe(text),
      cwd: says('Of this turn.', text),
      approval_policy: choice,
      'approvals_reviewer?': maybe(text),
      'permission_profile?': maybe(profile),
      'sandbox_policy?': maybe(object),
      model: says('Of this turn.', text),
      'comp_hash?': maybe(text),
      'collaboration_mode?': maybe(mode),
      'multi_agent_version?': maybe(text),
      'realtime_active?': maybe(boolean),
      'effort?': says('Of the model.', maybe(text)),
      'summary?': maybe(text),
      'disabled_plugin_ids?': maybe(list),
    },
    'The settings of a turn.',
  ),
  world_state: fields(
    { state: says('By name.', object), full: says('false: only what has changed.', boolean) },
    'What the model was told of its surroundings.',
  ),
  token_usage_record: fields(
    {
      thread_id: says('Whose answer.', uuid),
      turn_id: text,
      session_id: uuid,
      root_turn_id: text,
      response_id: says('Counted once.', text),
      usage: says('Of one answer.', totals),
      turn_token_usage: totals,
      thread_token_usage: totals,
    },
    'The tokens of one answer.',
  ),
  inter_agent_communication_metadata: fields(
    { trigger_turn: boolean },
    'Whether a message of another agent begins a turn.',
  ),
  dynamic_tools_updated: fields({ thread_id: uuid, tools: list }, 'The tools of the client.'),
  security_risk_score: fields({ scores: object }, 'How risky a turn was.'),
};
