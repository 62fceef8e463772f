// @ts-check
// The JSON Schema of the lines of Codex's rollouts. It demands what `coppice validate` demands of a line,
// which is what 0.171 demands, and describes the rest as 0.40 to 0.171 write it. Lines of releases before
// 0.40 have no envelope, and pass.
import { COMPACTION, note, uuid } from './codex-compaction.mjs';
import { EVENTS, SETTING_LINES } from './codex-events.mjs';
import {
  boolean,
  choose,
  fields,
  list,
  listOf,
  maybe,
  number,
  object,
  oneOf,
  ref,
  says,
  text,
  whole,
  withHead,
  withPrefix,
} from './shapes.mjs';

const maybeNote = { ...note, type: [...note.type, 'null'] };
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
  output_text: fields({ text, 'annotations?': maybe(list) }, 'Text of the model.'),
};
const OUTPUT_PARTS = {
  input_text: PARTS.input_text,
  input_image: image,
  encrypted_content: sealed,
};
const AGENT_PARTS = { input_text: PARTS.input_text, encrypted_content: sealed };
const THOUGHTS = { summary_text: fields({ text }, 'The summary of a thought.') };

const passthrough = {
  'internal_chat_message_metadata_passthrough?': says(
    'turn_id, and by content_item_kinds what a person typed: user.text, user.image.',
    {
      type: ['object', 'array', 'null'],
      maxItems: 0,
      properties: fields({ 'turn_id?': maybe(text), 'create_time?': maybe(number) }).properties,
    },
  ),
};
const encrypted = { 'encrypted_content?': maybe(text) };
const output = says('A text, or a list of parts.', { anyOf: [text, listOf(ref('output-part'))] });

const ITEMS = {
  message: fields(
    {
      role: says('user, assistant or developer. Much of what a user says is of the client.', text),
      content: listOf(ref('part')),
      'id?': id,
      'status?': status,
      'phase?': { enum: ['commentary', 'final_answer', null] },
      ...encrypted,
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
      'namespace?': says('Whose tool it is.', maybe(text)),
      ...encrypted,
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
      action: fields(
        {
          type: { const: 'exec' },
          command: listOf(text),
          'timeout_ms?': maybe(whole),
          'working_directory?': maybe(text),
          'env?': maybe(object),
          'user?': maybe(text),
        },
        'The command.',
      ),
      'call_id?': maybe(text),
      'id?': id,
      ...passthrough,
    },
    'A command of the shell.',
  ),
  web_search_call: fields(
    {
      'action?': maybe(
        fields({ type: text, 'query?': maybe(text), 'queries?': maybe(listOf(text)) }),
      ),
      'id?': id,
      'status?': status,
      ...encrypted,
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
      ...encrypted,
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
    { encrypted_content: text, 'id?': id, ...passthrough },
    'A summary that only the provider can read.',
  ),
  compaction_summary: fields({ encrypted_content: text, 'id?': id, ...passthrough }, 'The same.'),
  context_compaction: fields(
    { ...encrypted, 'id?': id, ...passthrough },
    'A compaction by the provider.',
  ),
  tool_search_output: fields(
    {
      'call_id?': maybe(text),
      status: text,
      execution: text,
      tools: list,
      'id?': id,
      ...passthrough,
    },
    'The tools that were found.',
  ),
  tool_search_call: fields(
    {
      execution: text,
      arguments: true,
      'call_id?': maybe(text),
      'id?': id,
      'status?': status,
      ...encrypted,
      ...passthrough,
    },
    'A search for tools.',
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
        minProperties: 1,
        properties: {
          subagent: {
            type: ['string', 'object'],
            minProperties: 1,
            properties: {
              thread_spawn: fields({
                parent_thread_id: uuid,
                depth: { type: 'integer' },
                'agent_path?': maybe(text),
                'agent_nickname?': maybe(text),
                'agent_role?': maybe(text),
              }),
            },
          },
        },
      }),
      'model_provider?': says('Whose model it is.', maybe(text)),
      'base_instructions?': says(
        'Sent before all else.',
        maybe(fields({ text, 'provenance?': maybe(fields({ type: text })) })),
      ),
      'git?': maybe(object),
      'history_mode?': says('paginated: the lines have ordinals.', {
        enum: ['legacy', 'paginated', null],
      }),
      'history_base?': says(
        'Where the thread goes on from another file.',
        maybe(fields({ thread_id: uuid, end_ordinal_exclusive: whole, end_byte_offset: whole })),
      ),
      'forked_from_id?': says('The thread that it is a fork of.', maybe(uuid)),
      'forked_from_ordinal_exclusive?': maybe(whole),
      'parent_thread_id?': says('The thread that began it, of a sub-agent.', maybe(uuid)),
      'session_id?': says('The first thread of a tree of sub-agents.', uuid),
      'account_scoped?': boolean,
      'agent_nickname?': maybe(text),
      'context_window?': maybe(fields({ window_id: text })),
      'multi_agent_version?': maybe(text),
      'runtime_workspace_roots?': maybe(listOf(text)),
      'thread_source?': maybe(text),
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
  ...SETTING_LINES,
};

const line = {
  ...fields({
    timestamp: says('ISO 8601, in UTC.', text),
    'ordinal?': says('Counts the lines, in files of releases since 0.148.', maybe(whole)),
    type: text,
    payload: object,
  }),
  allOf: Object.keys(LINES).map((type) => ({
    if: { ...fields({ type: { const: type } }) },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: {
      type: 'object',
      properties: {
        payload: ref(`payload.${type}`),
        ...(type === 'response_item' && { metadata: maybeNote }),
      },
    },
  })),
};

/** @returns {Record<string, object>} by file name */
export function makeCodexSchema() {
  const schema = withHead('session/codex', 'A line of a rollout of Codex', {
    description:
      'A line in an envelope, as releases since 0.40 write them. Types and fields that are not listed here ' +
      'are allowed, as Codex allows them.',
    if: { ...fields({ payload: true }) },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: ref('line'),
    $defs: {
      line,
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
