// @ts-check
// The JSON Schema of the lines of Codex's rollouts. It demands what `coppice validate` demands of a line,
// which is what 0.169 demands, and describes the rest as 0.40 to 0.169 write it. Lines of releases before
// 0.40 have no envelope, and pass.
import { COMPACTION, uuid } from './codex-compaction.mjs';
import {
  choose,
  fields,
  list,
  listOf,
  maybe,
  object,
  oneOf,
  ref,
  says,
  text,
  whole,
  withHead,
  withPrefix,
} from './shapes.mjs';

const id = says('Of the item, as the provider named it.', maybe(text));
const status = maybe(text);

/** One of these shapes and no other, by their `type`. */
const typed = (prefix, shapes) => ({
  ...fields({ type: { enum: Object.keys(shapes) } }),
  allOf: choose('type', prefix, shapes),
});

/** Of a type that is known, what is demanded of it; any other type passes. */
const named = (prefix, shapes) => ({
  ...fields({ type: text }),
  allOf: choose('type', prefix, shapes),
});

/** Fields of any type, by name and description. */
const described = (names) =>
  Object.fromEntries(Object.entries(names).map(([name, words]) => [`${name}?`, says(words, {})]));

const image = fields(
  {
    image_url: says('A data URL, or where the image is.', text),
    'detail?': { enum: ['auto', 'low', 'high', 'original', null] },
  },
  'An image.',
);
const sealed = fields({ encrypted_content: text }, 'Text that only the provider can read.');
const PARTS = {
  input_text: fields({ text }, 'Text of a person, the client or a tool.'),
  input_image: image,
  output_text: fields({ text }, 'Text of the model.'),
};
const OUTPUT_PARTS = {
  input_text: PARTS.input_text,
  input_image: image,
  encrypted_content: sealed,
};
const AGENT_PARTS = { input_text: PARTS.input_text, encrypted_content: sealed };
const THOUGHTS = { summary_text: fields({ text }, 'The summary of a thought.') };

const passthrough = described({
  internal_chat_message_metadata_passthrough:
    'turn_id, and by content_item_kinds what a person typed: user.text, user.image.',
});
const output = says('A text, or a list of parts.', { anyOf: [text, listOf(ref('output-part'))] });

const ITEMS = {
  message: fields(
    {
      role: says('user, assistant or developer. Much of what a user says is of the client.', text),
      content: listOf(ref('part')),
      'id?': id,
      'status?': status,
      'phase?': { enum: ['commentary', 'final_answer', null] },
      ...passthrough,
    },
    'Something said.',
  ),
  reasoning: fields(
    {
      summary: listOf(ref('thought')),
      'id?': id,
      'content?': says('The thought itself; mostly null.', maybe(list)),
      'encrypted_content?': says('Only the provider that made it can read it.', maybe(text)),
      ...passthrough,
    },
    'A thought of the model.',
  ),
  function_call: fields(
    {
      name: text,
      arguments: says('JSON in a text.', text),
      call_id: says('Names the call.', text),
      'id?': id,
      ...described({ namespace: 'Whose tool it is.' }),
      ...passthrough,
    },
    'A call of a tool.',
  ),
  function_call_output: fields(
    { output, 'call_id?': says('The call.', maybe(text)), 'id?': id, ...passthrough },
    'What a tool answered.',
  ),
  custom_tool_call: fields(
    {
      name: text,
      input: says('Free text: a patch, or a script in code mode.', text),
      call_id: text,
      'id?': id,
      'status?': status,
      ...passthrough,
    },
    'A call of a tool that takes text.',
  ),
  custom_tool_call_output: fields(
    { output, call_id: text, 'id?': id, ...passthrough },
    'What such a tool answered.',
  ),
  local_shell_call: fields(
    {
      status: oneOf('completed', 'in_progress', 'incomplete'),
      action: fields({ type: { const: 'exec' }, command: listOf(text) }, 'The command.'),
      'call_id?': maybe(text),
      'id?': id,
      ...passthrough,
    },
    'A command of the shell.',
  ),
  web_search_call: fields(
    {
      'action?': { anyOf: [{ type: 'null' }, fields({ type: text })] },
      'id?': id,
      'status?': status,
      ...passthrough,
    },
    'A search that the provider made.',
  ),
  image_generation_call: fields(
    {
      status: text,
      result: says('Base64.', text),
      'revised_prompt?': maybe(text),
      'id?': id,
      ...passthrough,
    },
    'An image that the provider made.',
  ),
  agent_message: fields(
    {
      author: says('The path of an agent.', text),
      recipient: text,
      content: listOf(ref('agent-part')),
      'id?': id,
      ...passthrough,
    },
    'A message between agents.',
  ),
  additional_tools: fields({ role: text, tools: list, 'id?': id }, 'Tools that are defined anew.'),
  compaction: fields(
    { encrypted_content: text, 'id?': id },
    'A summary that only the provider can read.',
  ),
  compaction_summary: fields({ encrypted_content: text, 'id?': id }, 'The same.'),
  tool_search_call: fields(
    {
      execution: text,
      arguments: true,
      'call_id?': maybe(text),
      'id?': id,
      'status?': status,
      ...passthrough,
    },
    'A search for tools.',
  ),
};

const EVENTS = {
  user_message: fields(
    {
      message: text,
      'images?': maybe(listOf(text)),
      ...described({ local_images: 'Paths.', text_elements: 'Parts of the text.', kind: 'plain.' }),
    },
    'A prompt, in files without ordinals.',
  ),
  agent_message: fields({ message: text }, 'An answer, in files without ordinals.'),
  agent_reasoning: fields({ text }, 'The summary of a thought, in files without ordinals.'),
  thread_rolled_back: fields(
    { num_turns: says('How many of the newest turns leave the context.', whole) },
    'A rollback, in files without ordinals.',
  ),
  item_completed: fields(
    {
      thread_id: text,
      turn_id: text,
      item: fields(
        {
          type: says(
            'UserMessage, AgentMessage, Reasoning, CommandExecution, FileChange, McpToolCall, Plan or another.',
            text,
          ),
        },
        'As a person is shown it.',
      ),
    },
    'Something that a person is shown.',
  ),
  token_count: fields(
    described({ info: 'Totals of the thread, and of the last answer; null at first.' }),
    'Tokens so far. The same totals are often written again.',
  ),
  task_started: fields(described({ turn_id: 'The turn.' }), 'A turn begins.'),
  task_complete: fields(described({ turn_id: 'The turn.' }), 'A turn ends.'),
  turn_aborted: fields(
    described({ turn_id: 'The turn.', reason: 'Why.' }),
    'A turn was cut short.',
  ),
  thread_settings_applied: fields(
    described({ thread_settings: 'model, cwd and others, from here on.' }),
    'The settings with which the thread goes on.',
  ),
};

const LINES = {
  session_meta: fields(
    {
      id: says('The thread.', uuid),
      timestamp: says('When the thread began.', text),
      cwd: says('The working directory.', text),
      originator: says('The program that started it.', text),
      cli_version: text,
      'source?': says('cli, vscode, exec, mcp, unknown; or an object, of a sub-agent.', {
        type: ['string', 'object'],
      }),
      'base_instructions?': says('Sent before all else.', {
        anyOf: [{ type: 'null' }, fields({ text })],
      }),
      'git?': maybe(object),
      'history_mode?': says('paginated: the lines have ordinals.', {
        enum: ['legacy', 'paginated', null],
      }),
      ...described({
        history_base: 'Where the thread goes on from another file: thread_id, end_byte_offset.',
        forked_from_id: 'The thread that it is a fork of.',
        parent_thread_id: 'The thread that began it, of a sub-agent.',
        session_id: 'The first thread of a tree of sub-agents.',
        model_provider: 'Whose model it is.',
      }),
    },
    'The first line of a file.',
  ),
  response_item: named('item', ITEMS),
  event_msg: named('event', EVENTS),
  compacted: fields(
    {
      message: says('The summary.', text),
      'replacement_history?': says(
        'The whole new context. Without it: the prompts so far, and the summary.',
        maybe(listOf(ref('payload.response_item'))),
      ),
      ...COMPACTION,
    },
    'Stands for what came before it.',
  ),
  turn_context: fields(
    described({
      turn_id: 'The turn.',
      model: 'Of this turn.',
      cwd: 'Of this turn.',
      effort: 'Of the model.',
    }),
    'The settings of a turn.',
  ),
  world_state: fields(
    {
      ...described({ state: 'By name.' }),
      ...described({ full: 'false: only what has changed.' }),
    },
    'What the model was told of its surroundings.',
  ),
  token_usage_record: fields(
    described({
      response_id: 'Counted once.',
      usage: 'Of one answer.',
      thread_id: 'Whose answer.',
    }),
    'The tokens of one answer.',
  ),
};

/** @returns {Record<string, object>} by file name */
export function makeCodexSchema() {
  const schema = withHead('session/codex', 'A line of a rollout of Codex', {
    description:
      'A line in an envelope, as releases since 0.40 write them. Types and fields that are not listed here ' +
      'are allowed, as Codex allows them.',
    if: { ...fields({ type: text, payload: true }) },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: ref('line'),
    $defs: {
      line: {
        ...fields({
          timestamp: says('ISO 8601, in UTC.', text),
          'ordinal?': says('Counts the lines, in files of releases since 0.148.', maybe(whole)),
          type: text,
          payload: object,
          'metadata?': maybe(object),
        }),
        allOf: Object.keys(LINES).map((type) => ({
          if: { ...fields({ type: { const: type } }) },
          // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
          then: { type: 'object', properties: { payload: ref(`payload.${type}`) } },
        })),
      },
      ...withPrefix('payload', LINES),
      ...withPrefix('item', ITEMS),
      ...withPrefix('event', EVENTS),
      part: typed('part', PARTS),
      ...withPrefix('part', PARTS),
      'output-part': typed('output-part', OUTPUT_PARTS),
      ...withPrefix('output-part', OUTPUT_PARTS),
      'agent-part': typed('agent-part', AGENT_PARTS),
      ...withPrefix('agent-part', AGENT_PARTS),
      thought: typed('thought', THOUGHTS),
      ...withPrefix('thought', THOUGHTS),
    },
  });
  return { 'session/codex.schema.json': schema };
}
