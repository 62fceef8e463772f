import { getNumber, getString, type JsonObject } from '../../../../jsonl/edit/json.ts';
import { formatCommand } from '../../../../model/text/format-command.ts';
import { wrapSummary } from '../../../../model/text/wrap-summary.ts';

const SUMMARIES: ReadonlyMap<unknown, 'compaction' | 'branch'> = new Map([
  ['compactionSummary', 'compaction'],
  ['branchSummary', 'branch'],
]);

/** The roles that a model knows. */
const KNOWN: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'toolResult']);

/**
 * Converts messages to those that the model is sent: `convertToLlm` of pi 1.6.0. Other roles are
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
      return message['excludeFromContext'] ? [] : [toUser(message, toBlocks(formatBash(message)))];
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
export function formatBash(message: JsonObject): string {
  const ran = {
    command: getString(message, 'command') ?? '',
    exitCode: getNumber(message, 'exitCode'),
    cancelled: Boolean(message['cancelled']),
    truncated: Boolean(message['truncated']),
    fullOutputPath: getString(message, 'fullOutputPath'),
  };
  return formatCommand(ran, getString(message, 'output') ?? '');
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
