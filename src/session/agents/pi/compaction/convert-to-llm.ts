import { getNumber, getString, type JsonObject } from '../../../jsonl/edit/json.ts';

/** What pi puts round a summary for the model. */
const WRAPPERS: ReadonlyMap<unknown, readonly [before: string, after: string]> = new Map([
  [
    'compactionSummary',
    [
      'The conversation history before this point was compacted into the following summary:\n\n<summary>\n',
      '\n</summary>',
    ],
  ],
  [
    'branchSummary',
    [
      'The following is a summary of a branch that this conversation came back from:\n\n<summary>\n',
      '</summary>',
    ],
  ],
]);

/** The roles that a model knows. */
const KNOWN: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'toolResult']);

/** Messages as the model is sent them: `convertToLlm` of pi 1.5.2. Other roles are left out. */
export function convertToLlm(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.flatMap((message) => {
    const { role, content } = message;
    if (KNOWN.has(role)) return [message];
    if (role === 'custom') {
      return [toUser(message, typeof content === 'string' ? toBlocks(content) : content)];
    }
    if (role === 'bashExecution') {
      return message['excludeFromContext']
        ? []
        : [toUser(message, toBlocks(formatCommand(message)))];
    }
    return WRAPPERS.has(role) ? [toUser(message, toBlocks(wrapSummary(message)))] : [];
  });
}

/** A summary as the model is shown it. */
export function wrapSummary(message: JsonObject): string {
  const [before, after] = WRAPPERS.get(message['role']) ?? ['', ''];
  return before + (getString(message, 'summary') ?? '') + after;
}

/** A command that a person ran in the agent, as the model is shown it. */
export function formatCommand(message: JsonObject): string {
  const field = (key: string): string => getString(message, key) ?? '';
  const output = field('output');
  const exitCode = getNumber(message, 'exitCode') ?? 0;
  const parts = [
    `Ran \`${field('command')}\`\n${output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'}`,
  ];
  if (message['cancelled']) parts.push('(command cancelled)');
  else if (exitCode !== 0) parts.push(`Command exited with code ${exitCode}`);
  if (message['truncated'] && field('fullOutputPath')) {
    parts.push(`[Output truncated. Full output: ${field('fullOutputPath')}]`);
  }
  return parts.join('\n\n');
}

function toBlocks(text: string): JsonObject[] {
  return [{ type: 'text', text }];
}

function toUser({ timestamp }: JsonObject, content: JsonObject[string]): JsonObject {
  return {
    role: 'user',
    ...(content !== undefined && { content }),
    ...(timestamp !== undefined && { timestamp }),
  };
}
