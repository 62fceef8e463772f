// @ts-check
// The JSON Schema of the lines of Neovate Code's session files, which have no versions. It demands
// what `coppice validate` demands, and is silent where it is.
import { choose, fields, maybe, object, ref, says, text, withHead, withPrefix } from './shapes.mjs';

const stringOr = (array) => ({ anyOf: [text, array] });
const parts = (role) => ({ type: 'array', items: ref(`part.${role}`) });

/** Any other type cannot be sent: unlike types of lines, these are closed. */
const oneOf = (prefix, shapes) => ({
  ...fields({ type: { enum: Object.keys(shapes) } }),
  allOf: choose('type', prefix, shapes),
});

const USER = {
  text: fields({ text }, 'What the person said.'),
  image: fields({ data: says('A data URL, or bare base64.', text), 'mimeType?': {} }, 'An image.'),
  tool_result: fields(
    { id: text, name: text, result: object },
    'Before 0.15: what a tool answered, to the call with this id.',
  ),
};

const ASSISTANT = {
  text: fields({ text }, 'What the model said.'),
  reasoning: fields({ text }, 'A thought of the model.'),
  tool_use: fields({ id: text, name: text, input: object }, 'A call of a tool.'),
};

const TOOL = {
  'tool-result': fields(
    {
      toolCallId: says('The id of the call in the parent.', text),
      toolName: text,
      result: says('llmContent, and isError where it failed.', object),
    },
    'What a tool answered.',
  ),
};

const ROLES = {
  user: fields({ content: stringOr(parts('user')) }),
  assistant: fields({
    content: stringOr(parts('assistant')),
    'model?': says('As provider/model; the model may hold a slash.', {}),
    'usage?': says('input_tokens and output_tokens.', {}),
  }),
  tool: fields({ content: parts('tool') }),
  system: fields({ content: stringOr({ type: 'array' }) }),
};

const LINES = {
  message: {
    ...fields(
      {
        uuid: says('Unique in the file.', { ...text, minLength: 1 }),
        'parentUuid?': says('The message before this one; null for a root.', maybe(text)),
        role: { enum: Object.keys(ROLES) },
        content: true,
        'timestamp?': says('ISO 8601.', {}),
        'sessionId?': says('The name of the file.', {}),
        'uiContent?': says('Shown instead of the content.', {}),
      },
      'Something said. The session goes on at the last message of the file.',
    ),
    allOf: choose('role', 'role', ROLES),
  },
  config: says('Settings, on the first line: config.summary is the title.', object),
  'custom-title': says('A title that a person gave: customTitle. The last one counts.', object),
  snapshot: says('What the files were that a turn changed.', object),
  'file-history-snapshot': says('The same, in another form.', object),
};

/** @returns {Record<string, object>} by file name */
export function makeNeovateSchema() {
  const schema = withHead('session/neovate', 'A line of a session file of Neovate Code', {
    description: 'Types of lines and fields that are not listed here are allowed.',
    type: 'object',
    allOf: choose('type', 'line', LINES),
    $defs: {
      ...withPrefix('line', LINES),
      ...withPrefix('role', ROLES),
      'part.user': oneOf('user', USER),
      'part.assistant': oneOf('assistant', ASSISTANT),
      'part.tool': oneOf('tool', TOOL),
      ...withPrefix('user', USER),
      ...withPrefix('assistant', ASSISTANT),
      ...withPrefix('tool', TOOL),
    },
  });
  return { 'session/neovate.schema.json': schema };
}
