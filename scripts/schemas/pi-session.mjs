// @ts-check
// JSON Schemas of the lines of pi's session files, one for each version of the format. They demand
// what `coppice validate` demands, and are silent where it is: unknown types, roles and fields pass.

import {
  boolean,
  choose,
  fields,
  maybe,
  maybeRef,
  number,
  object,
  ref,
  says,
  text,
  withHead,
  withPrefix,
} from './shapes.mjs';

const givenContent = { anyOf: [text, { type: 'array', items: ref('block') }] };
const content = { anyOf: [...givenContent.anyOf, { type: 'null' }] };
const blocks = { anyOf: [{ type: 'array', items: ref('block') }, { type: 'null' }] };
const time = says('Milliseconds since the epoch.', maybe(number));
/** A field that only releases from 1.0 on write; they check no type of it. */
const of1x = (description) => ({ description: `Of 1.x: ${description}` });
const isoTime = says('ISO 8601.', { type: 'string', format: 'date-time' });

const BLOCKS = {
  text: fields({ type: text, text, 'textSignature?': text }, 'Text.'),
  image: fields({ type: text, data: says('Base64.', text), mimeType: text }, 'An image.'),
  thinking: fields(
    { type: text, thinking: text, 'thinkingSignature?': text, 'redacted?': boolean },
    'A thought of the model; the signature is opaque.',
  ),
  toolCall: fields(
    {
      type: text,
      id: text,
      name: text,
      arguments: object,
      'argumentsError?': of1x('what was wrong with arguments that were no JSON object.'),
    },
    'A call of a tool; its result is a message of its own.',
  ),
};

const customMessage = fields(
  { role: text, customType: text, content: givenContent, display: boolean, 'timestamp?': time },
  'A message of an extension.',
);

const MESSAGES = {
  system: fields(
    {
      role: text,
      'content?': content,
      'sections?': maybe(object),
      'toolsAdded?': maybe({ type: 'array' }),
      'toolsRemoved?': maybe({ type: 'array' }),
      'timestamp?': time,
    },
    'The system prompt, or what changed in it.',
  ),
  user: fields({ role: text, 'content?': content, 'timestamp?': time }, 'What the person said.'),
  assistant: fields(
    {
      role: text,
      'content?': blocks,
      api: text,
      provider: text,
      model: text,
      usage: ref('usage'),
      stopReason: says('stop, length, toolUse, error, aborted, deferred or another', text),
      'errorMessage?': maybe(text),
      'timestamp?': time,
      'providerThinkingLevel?': of1x('how hard the provider was asked to think.'),
      'rawStopReason?': of1x('why the answer ended, in the words of the provider.'),
      'endTurn?': of1x('whether the model ended its turn.'),
      'durationMs?': of1x('milliseconds from the request to the end of the answer.'),
    },
    'What the model said.',
  ),
  toolResult: fields(
    {
      role: text,
      toolCallId: says('The id of the call in an earlier message.', text),
      toolName: text,
      'content?': blocks,
      isError: boolean,
      'usage?': maybeRef('usage'),
      'timestamp?': time,
      'nestedCalls?': {
        description:
          'Calls that a script of code mode made; in `calls` since 1.0. Not sent to the model.',
      },
    },
    'What a tool answered.',
  ),
  bashExecution: fields(
    {
      role: text,
      command: text,
      output: text,
      'exitCode?': maybe(number),
      cancelled: boolean,
      truncated: boolean,
      'fullOutputPath?': maybe(text),
      'excludeFromContext?': maybe(boolean),
      'timestamp?': time,
    },
    'A command that the person ran.',
  ),
  custom: customMessage,
  hookMessage: customMessage,
  branchSummary: fields({ role: text, summary: text, 'timestamp?': time }, 'Not normally stored.'),
  compactionSummary: fields(
    { role: text, summary: text, tokensBefore: number, 'timestamp?': time },
    'Not normally stored.',
  ),
};

const ENTRIES = {
  message: fields({ message: ref('message') }, 'Something said.'),
  model_change: {
    description: 'Another model from here on. oh-my-pi names it by one text.',
    if: { type: 'object', required: ['model'] },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: fields({ model: says('<provider>/<model>', text), 'role?': maybe(text) }),
    else: fields({ provider: text, modelId: text }),
  },
  thinking_level_change: fields(
    { thinkingLevel: says('In oh-my-pi null while none is chosen.', maybe(text)) },
    'Another thinking level from here on.',
  ),
  compaction: fields(
    {
      summary: text,
      'firstKeptEntryId?': says('Its own id where it keeps nothing.', maybe(text)),
      'firstKeptEntryIndex?': says(
        'Version 1: the index among all lines that parse, the header being 0.',
        maybe(number),
      ),
      tokensBefore: number,
      'usage?': maybeRef('usage'),
      'fromHook?': maybe(boolean),
      'systemMessage?': maybe(object),
    },
    'Stands for what came before its first kept entry.',
  ),
  branch_summary: fields(
    {
      fromId: says('The leaf that was left; root where there was none.', text),
      summary: text,
      'usage?': maybeRef('usage'),
      'fromHook?': maybe(boolean),
    },
    'What was left behind on another branch.',
  ),
  custom: fields({ customType: text }, 'State of an extension; never sent to the model.'),
  custom_message: fields(
    { customType: text, 'content?': content, display: boolean },
    'A message of an extension; sent to the model.',
  ),
  label: fields(
    { targetId: text, 'label?': says('Missing or empty: the label is cleared.', maybe(text)) },
    'A name for an entry.',
  ),
  session_info: fields({ 'name?': maybe(text) }, 'The name of the session; the last one counts.'),
  usage: fields(
    {
      kind: text,
      provider: text,
      model: text,
      usage: ref('usage'),
      'note?': maybe(text),
    },
    'Counts in totals, not in the context.',
  ),
  context_edit: fields(
    {
      targetId: text,
      replacement: says('Null takes the target out of the context.', {
        anyOf: [
          { type: 'null' },
          fields({
            content: { anyOf: [text, { type: 'array', items: ref('block') }] },
          }),
        ],
      }),
    },
    'What the model sees instead of an entry.',
  ),
};

const USAGE = fields(
  {
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    'totalTokens?': { description: 'The sum, as the agent reckons it; version 1 had none.' },
    cost: fields({ total: number }, 'US dollars.'),
  },
  'Tokens, and what they cost.',
);

const id = { type: 'string', minLength: 1 };

const HEADERS = {
  1: fields(
    {
      type: text,
      'version?': maybe(number),
      id,
      timestamp: isoTime,
      'cwd?': maybe(text),
      'parentSession?': maybe(text),
      'branchedFrom?': maybe(text),
    },
    'The first line of a session file.',
  ),
  2: fields(
    {
      type: text,
      version: { const: 2 },
      id,
      timestamp: isoTime,
      cwd: text,
      'parentSession?': maybe(text),
    },
    'The first line of a session file.',
  ),
  3: fields(
    {
      type: text,
      version: { const: 3 },
      id,
      timestamp: isoTime,
      cwd: says('The working directory, absolute.', text),
      'parentSession?': says('The path of the session that this is a fork of.', maybe(text)),
    },
    'The first line of a session file.',
  ),
};

const TITLE = fields(
  { type: text, title: text },
  'The name of the session in oh-my-pi: a line before the header.',
);

const OLD_PLACE = fields({ type: text, timestamp: isoTime });
const PLACE = fields({
  type: text,
  id: says('Unique in the file.', id),
  parentId: says('The entry before this one; null for a root.', maybe(text)),
  timestamp: isoTime,
});

/** @returns {Record<string, object>} by file name */
export function makePiSchemas() {
  return Object.fromEntries(
    [1, 2, 3].map((version) => [`session/pi-v${version}.schema.json`, makeSchema(version)]),
  );
}

function makeSchema(version) {
  return withHead(`session/pi-v${version}`, `A line of a session file of pi, version ${version}`, {
    description:
      'The first line is the header, but for a title of oh-my-pi; every other is an entry. Types, roles and fields that are not ' +
      'listed here are allowed, as pi allows them.',
    if: { type: 'object', properties: { type: { const: 'session' } }, required: ['type'] },
    // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
    then: ref('header'),
    else: {
      if: { type: 'object', properties: { type: { const: 'title' } }, required: ['type'] },
      // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
      then: ref('title'),
      else: ref('entry'),
    },
    $defs: {
      header: HEADERS[version],
      title: TITLE,
      entry: { ...(version === 1 ? OLD_PLACE : PLACE), allOf: choose('type', 'entry', ENTRIES) },
      message: { ...fields({ role: text }), allOf: choose('role', 'message', MESSAGES) },
      block: { ...fields({ type: text }), allOf: choose('type', 'block', BLOCKS) },
      usage: USAGE,
      ...withPrefix('entry', ENTRIES),
      ...withPrefix('message', MESSAGES),
      ...withPrefix('block', BLOCKS),
    },
  });
}
