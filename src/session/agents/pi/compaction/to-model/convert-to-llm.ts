import { getNumber, getString, type JsonObject } from '../../../../jsonl/edit/json.ts';
import { wrapSummary } from '../../../../model/text/wrap-summary.ts';

const SUMMARIES: ReadonlyMap<unknown, 'compaction' | 'branch'> = new Map([
  ['compactionSummary', 'compaction'],
  ['branchSummary', 'branch'],
]);

/** The roles that a model knows. */
const KNOWN: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'toolResult']);

/**
 * Converts messages to those that the model is sent: `convertToLlm` of pi 1.5.2. Other roles are
 * left out.
 */
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
    return SUMMARIES.has(role) ? [toUser(message, toBlocks(formatSummary(message)))] : [];
  });
}

/** A summary as the model is shown it. */
export function formatSummary(message: JsonObject): string {
  const text = getString(message, 'summary') ?? '';
  const kind = SUMMARIES.get(message['role']);
  return kind ? wrapSummary(kind, text) : text;
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
