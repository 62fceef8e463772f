/** What is said in the recordings: invented work on an invented project. */
import { later } from './determinism.mjs';

export const CWD = '/home/dev/orchard';
export const OTHER_CWD = '/home/dev/nursery';

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const text = (value) => ({ type: 'text', text: value });
export const image = () => ({ type: 'image', data: PIXEL, mimeType: 'image/png' });
export const thinking = (value) => ({
  type: 'thinking',
  thinking: value,
  thinkingSignature: 'c2lnbmF0dXJl',
});
export const toolCall = (id, name, args) => ({ type: 'toolCall', id, name, arguments: args });

/** Tokens and dollars; the total is what pi compares with the context window. */
export function usage(input, output, cacheRead = 0, cacheWrite = 0) {
  const cost = {
    input: (input * 3) / 1e6,
    output: (output * 15) / 1e6,
    cacheRead: (cacheRead * 0.3) / 1e6,
    cacheWrite: (cacheWrite * 3.75) / 1e6,
  };
  const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
  const totalTokens = input + output + cacheRead + cacheWrite;
  return { input, output, cacheRead, cacheWrite, totalTokens, cost: { ...cost, total } };
}

export function user(...content) {
  return { role: 'user', content: content.map(toBlock), timestamp: later(40) };
}

export function assistant(content, more = {}) {
  return {
    role: 'assistant',
    content: content.map(toBlock),
    api: 'anthropic-messages',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    usage: usage(12, 180, 3100, 420),
    stopReason: content.some((block) => block.type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp: later(6),
    ...more,
  };
}

export function toolResult(toolCallId, toolName, content, more = {}) {
  return {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [content].flat().map(toBlock),
    isError: false,
    timestamp: later(1),
    ...more,
  };
}

export function bashExecution(command, output, more = {}) {
  return {
    role: 'bashExecution',
    command,
    output,
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: later(15),
    ...more,
  };
}

/** A message of an extension: role `hookMessage` in v1 and v2, `custom` in v3. */
export function extensionMessage(role, customType, content, more = {}) {
  return { role, customType, content, display: true, timestamp: later(1), ...more };
}

function toBlock(value) {
  return typeof value === 'string' ? text(value) : value;
}

/** A new session of a release that writes trees; `say` appends a message and returns its id. */
export function start(SessionManager, dir) {
  const session = SessionManager.create(CWD, dir);
  return { session, say: (message) => session.appendMessage(message) };
}

/**
 * One turn: question, thought and tool call, result, answer. Hands each message to `add`, and
 * returns what that returned for them.
 */
export function turn(add, question, { id, tool, args, result, answer }) {
  return [
    add(user(question)),
    add(assistant([thinking(`I should look at ${args.path} first.`), toolCall(id, tool, args)])),
    add(toolResult(id, tool, result)),
    add(assistant([answer])),
  ];
}

export const READ_GRAFTING = {
  id: 'toolu_01',
  tool: 'read',
  args: { path: 'src/grafting.ts' },
  result:
    'export function graft(scion, stock) {\n  return { scion, stock, since: Date.now() };\n}\n',
  answer: 'graft() stamps the current time itself, so it cannot be tested without a clock.',
};

export const EDIT_GRAFTING = {
  id: 'toolu_02',
  tool: 'edit',
  args: { path: 'src/grafting.ts', oldText: 'since: Date.now()', newText: 'since: now' },
  result: 'Edited src/grafting.ts',
  answer: 'graft() now takes the time as its third argument.',
};

export const WRITE_TEST = {
  id: 'toolu_03',
  tool: 'write',
  args: { path: 'test/grafting.test.ts', content: "test('keeps the time it is given', …);\n" },
  result: 'Wrote test/grafting.test.ts',
  answer: 'There is a test now that pins the time of a graft.',
};

export const READ_README = {
  id: 'toolu_04',
  tool: 'read',
  args: { path: 'README.md' },
  result: '# Orchard\n\nKeeps the books of a small orchard.\n',
  answer: 'The README does not mention grafting yet.',
};

/** The shape of a summary that pi asks the model for. */
export function summary(goal, done, next) {
  return [
    `## Goal\n${goal}`,
    '## Constraints & Preferences\n- (none)',
    `## Progress\n### Done\n- [x] ${done}\n\n### In Progress\n- [ ] ${next}\n\n### Blocked\n- (none)`,
    '## Key Decisions\n- **The time is an argument**: tests need no clock',
    `## Next Steps\n1. ${next}`,
    '## Critical Context\n- (none)',
  ].join('\n\n');
}
