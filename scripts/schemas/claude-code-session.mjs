// @ts-check
// The JSON Schema of the lines of Claude Code's session files, which have no versions. It demands what
// `coppice validate` demands of a line, and describes the rest: fields, blocks and types of lines, as
// 1.0.59 to 2.1.332 write them.
import { choose, object, ref, says, text, withHead, withPrefix } from './shapes.mjs';

/** Fields by name and description, of any type. */
const describe = (description, names) => ({
  description,
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(names).map(([name, words]) => [
      name,
      typeof words === 'string' ? { description: words } : words,
    ]),
  ),
});

const SESSION = { type: true, sessionId: 'The session, by the name of its first file.' };

const NODE = {
  ...SESSION,
  uuid: 'The id of the line. Of two lines with one id, the last counts.',
  parentUuid: 'The line before this one; null for the first, and for a boundary.',
  isSidechain: 'true: of a sub-agent.',
  timestamp: 'ISO 8601, in UTC.',
  cwd: 'The working directory.',
  gitBranch: 'The branch of git that was checked out.',
  version: 'The release that wrote the line.',
  userType: 'external.',
  entrypoint: 'cli, sdk-cli (for claude -p), claude-vscode or another.',
  agentId: 'The sub-agent.',
  slug: 'The name of the plan, in words.',
  session_id: 'The first session of the process.',
  forkedFrom: 'sessionId and messageUuid of the line that this one was copied from.',
};

const MESSAGE = {
  type: 'object',
  properties: {
    content: says('A text, or a list of blocks.', {
      anyOf: [text, { type: 'array', items: ref('block') }],
    }),
  },
  required: ['content'],
};

/** A parent that is not text counts as one that is not in the file, which depends on other lines. */
const PARENT = { not: { enum: ['', false, 0] } };

/** A line that has a place in the conversation only with a uuid. */
const node = (description, names) => ({
  ...describe(description, { ...NODE, ...names }),
  if: { type: 'object', properties: { uuid: text }, required: ['uuid'] },
  // oxlint-disable-next-line unicorn/no-thenable -- the keyword of JSON Schema
  then: { type: 'object', properties: { parentUuid: PARENT }, required: ['parentUuid'] },
});

const spoken = (role, description, names) => ({
  ...describe(description, { ...NODE, message: true, ...names }),
  allOf: [
    {
      type: 'object',
      properties: { uuid: text, parentUuid: PARENT, message: ref(`message.${role}`) },
      required: ['uuid', 'parentUuid', 'message'],
    },
  ],
});

const MESSAGES = {
  user: {
    ...MESSAGE,
    properties: { ...MESSAGE.properties, role: says('user.', {}) },
  },
  assistant: {
    ...MESSAGE,
    properties: {
      content: says(
        'A list of blocks. Releases up to 2.1.133 do not open a session with a text here.',
        {
          type: 'array',
          items: ref('block'),
        },
      ),
      id: says('The answer. Its lines share the id, one for each block.', {}),
      type: says('message.', {}),
      role: says('assistant.', {}),
      model: says('<synthetic> for what the client itself answers.', {}),
      stop_reason: says('Why the answer ended.', {}),
      stop_sequence: says('The text that ended the answer.', {}),
      stop_details: says('More about why the answer ended.', {}),
      usage: says('Tokens of the whole answer, on each of its lines.', {}),
      diagnostics: says('What the server said about the request.', {}),
      container: says('Where the server ran code.', {}),
      context_management: says('What the server left out of the context.', {}),
    },
  },
};

const BLOCKS = {
  text: {
    type: 'object',
    properties: { type: true, text: says('What was said.', text) },
    required: ['text'],
    description: 'Text.',
  },
  thinking: describe('A thought of the model.', {
    type: true,
    thinking: 'The text of the thought.',
    signature: 'Of the model that thought it. A changed thought or signature is refused.',
  }),
  redacted_thinking: describe('A thought that only the model can read.', {
    type: true,
    data: 'Opaque.',
  }),
  tool_use: describe('A call of a tool; its result is on a line of a user.', {
    type: true,
    id: 'Names the call.',
    name: 'The tool.',
    input: 'The arguments.',
  }),
  tool_result: describe('What a tool answered.', {
    type: true,
    tool_use_id: 'The call.',
    content: 'A text, or a list of blocks.',
    is_error: 'true: the call failed.',
  }),
  image: describe('An image.', {
    type: true,
    source: 'type (base64), media_type and data.',
  }),
  document: describe('A document, such as a PDF.', { type: true, source: 'As of an image.' }),
};

const titled = (field, description) => describe(description, { ...SESSION, [field]: true });
const request = { ...SESSION, agentId: 'The sub-agent that asked.', version: true };

const LINES = {
  user: spoken('user', 'A prompt, the result of a tool, or text that the client adds.', {
    promptId: 'The prompt that this line belongs to, with the results of its tools.',
    promptSource: 'typed, sdk or system.',
    turnOrigin: 'Who began the turn.',
    turnPosition: 'promptIndex and turnIndex.',
    origin: 'kind: human, task-notification or another.',
    permissionMode: 'What tools were allowed to do.',
    isMeta: 'true: no person typed it.',
    isCompactSummary: 'true: a summary of what came before a boundary.',
    isVisibleInTranscriptOnly: 'The model is sent the line all the same.',
    summarizeMetadata: 'What part of the conversation a person had summarized.',
    summarizedTurnPromptUuids: 'The prompts of the turns that were summarized.',
    toolUseResult: 'The result as the client shows it, often longer. The model is not sent it.',
    sourceToolAssistantUUID: 'The line of the call.',
    permissionDecision: 'Why a tool was allowed to run.',
    sandboxed: 'true: the tool ran in a sandbox.',
  }),
  assistant: spoken('assistant', 'A block of an answer of the model.', {
    requestId: 'The request, by the name that the server gave it.',
    requestRef: 'The line of the request.',
    requestedModel: 'The model that was asked for.',
    requestSessionId: 'The session that made the request, where the line was copied.',
    promptCacheRequested: 'How long the server was asked to remember the prompt.',
    serverClassifierRequest: 'What the server was asked to classify.',
    apiBlockIndex: 'The place of the block in its answer.',
    effort: 'How hard the model was asked to think.',
    perTurnEffort: 'The same, for one turn.',
    madeBy: 'The part of the client that asked.',
    thinkingDurationMs: 'How long the model thought.',
    thinkingDisplay: 'How the thought is shown.',
    toolInputStreamMs: 'How long the arguments took to arrive.',
    attributionAgent: 'The type of the sub-agent.',
    isApiErrorMessage: 'true: the request failed, and the client put this in place of an answer.',
    error: 'The kind of failure.',
    apiErrorStatus: 'The status of HTTP.',
    apiErrorType: 'The kind of failure, by the server.',
    failedResponseHadNoToolCall: 'true: the answer ended before a call.',
  }),
  attachment: node('What the model was sent beside a prompt, or a prompt typed during a turn.', {
    attachment: 'Its kind is in type: file, queued_command, environment or another.',
    rendered: 'As the model was sent it; used again for kinds that a release does not know.',
    renderedRole: 'user or system.',
    renderedBesideToolResult: 'true: sent in the message of a result.',
  }),
  system: node('A boundary of a compaction, or a note of the client; the model is not sent it.', {
    subtype: 'compact_boundary, local_command, turn_duration or another.',
    content: 'What the client shows.',
    level: 'info, warning or error.',
    isMeta: true,
    logicalParentUuid: 'Of a boundary: the line before it. Nothing follows it.',
    compactMetadata: 'trigger, preTokens, and what is kept: preservedSegment, preservedMessages.',
    commandRun: 'Of a command: its name and how it ended.',
    durationMs: 'Of a turn: how long it took.',
    messageCount: 'Of a turn: how many messages the session had.',
    hookCount: 'Of hooks: how many ran.',
    hookInfos: true,
    hookErrors: true,
    failedHookErrorIndexes: true,
    hookAdditionalContext: true,
    preventedContinuation: 'true: a hook ended the turn.',
    stopReason: true,
    hasOutput: true,
    toolUseID: true,
  }),
  progress: node(
    'Up to about 2.1.80: what a running tool printed. Never part of the conversation.',
    {
      data: true,
      toolUseID: true,
      parentToolUseID: true,
    },
  ),
  'last-prompt': describe('Where the conversation goes on. The last line of this type counts.', {
    ...SESSION,
    lastPrompt: 'The prompt, as lists show it.',
    leafUuid: 'The line that the conversation goes on from.',
    explicit: 'true: a person chose it.',
  }),
  'custom-title': titled('customTitle', 'A title that a person gave. The last one counts.'),
  'ai-title': titled('aiTitle', 'A title that a model gave.'),
  'agent-name': titled('agentName', 'The name of the agent. The last one counts.'),
  tag: titled('tag', 'A tag, shown as #tag.'),
  summary: describe('The title that an old release gave, mostly to a session in another file.', {
    ...SESSION,
    summary: 'The title.',
    leafUuid: 'The last line of the session with that title.',
  }),
  mode: titled('mode', 'normal, or another mode of the client.'),
  'permission-mode': titled('permissionMode', 'What tools are allowed to do.'),
  'atis-latch': titled('atis', 'A state of the client.'),
  'tools-used': titled('tools', 'The tools that were called.'),
  'queue-operation': describe('A prompt that was typed while the agent was at work.', {
    ...SESSION,
    operation: 'enqueue, dequeue, remove or popAll.',
    timestamp: true,
    content: 'The prompt.',
    reason: true,
    commandUuid: true,
    deliveryId: true,
  }),
  'file-history-snapshot': describe('Which files a turn changed, and their copies.', {
    ...SESSION,
    messageId: 'The line of the prompt, which follows.',
    snapshot: 'trackedFileBackups, by path.',
    isSnapshotUpdate: true,
  }),
  'file-history-delta': describe('One more file that a turn changed.', {
    ...SESSION,
    messageId: 'The line of the prompt.',
    snapshotMessageId: 'The snapshot that it adds to.',
    trackingPath: 'The file.',
    backup: 'Its copy.',
    timestamp: true,
  }),
  'api-request': describe('A request to the model. No resume reads it.', {
    ...request,
    id: true,
    timestamp: true,
    querySource: 'What part of the client asked.',
    shapeHash: 'The system prompt and tools, by their hash.',
    params: true,
    keep: 'How many messages are as in the request before it.',
    base: 'The request before it.',
    tail: 'The other messages, by their hashes.',
    cacheControl: true,
    requestDigest: true,
  }),
  'api-request-shape': describe('The system prompt and tools of requests. No resume reads it.', {
    ...request,
    shapeHash: true,
    timestamp: true,
    shape: true,
  }),
  'api-request-blob': describe('A message of requests. No resume reads it.', {
    ...request,
    hash: true,
    message: true,
  }),
  'cost-state': describe(
    'Running totals of the client, over the session and what it was forked from.',
    {
      ...SESSION,
      totalCostUSD: true,
      totalAPIDuration: true,
      totalAPIDurationWithoutRetries: true,
      totalToolDuration: true,
      totalLinesAdded: true,
      totalLinesRemoved: true,
      totalDuration: true,
      startTime: true,
      modelUsage: 'Tokens, by model.',
      hasUnknownModelCost: true,
    },
  ),
  'worktree-state': describe('The git worktree that a resume returns to; null for none.', {
    ...SESSION,
    worktreeSession: 'worktreePath, originalCwd and more.',
  }),
};

/** @returns {Record<string, object>} by file name */
export function makeClaudeCodeSchema() {
  const schema = withHead('session/claude-code', 'A line of a session file of Claude Code', {
    description:
      'Types of lines, blocks and fields that are not listed here are allowed: each release adds some.',
    ...object,
    allOf: choose('type', 'line', LINES),
    $defs: {
      ...withPrefix('line', LINES),
      ...withPrefix('message', MESSAGES),
      block: {
        description: 'A part of a message.',
        type: 'object',
        properties: { type: text },
        required: ['type'],
        allOf: choose('type', 'block', BLOCKS),
      },
      ...withPrefix('block', BLOCKS),
    },
  });
  return { 'session/claude-code.schema.json': schema };
}
