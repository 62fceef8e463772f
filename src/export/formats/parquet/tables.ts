import { type Block, joinText, type Turn } from '../../../session/model/text/conversation.ts';
import type { Entry } from '../../../session/model/entry.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { getParentPath } from '../../../session/model/tree/parents.ts';
import { getCurrentPath } from '../../../session/model/tree/tree.ts';
import type { EntryUsage } from '../../../session/model/usage.ts';
import type { ExportDocument } from '../format.ts';
import { stringify } from '../../turns/stringify.ts';
import type { Row } from './table.ts';

export const SESSION_COLUMNS = {
  session_id: 'text',
  path: 'text',
  cwd: 'text',
  name: 'text',
  first_message: 'text',
  created: 'time',
  modified: 'time',
  format_version: 'integer',
  message_count: 'integer',
  user_message_count: 'integer',
  entry_count: 'integer',
  leaf_count: 'integer',
  compaction_count: 'integer',
  models: 'text',
  parent_session_path: 'text',
  size: 'integer',
} as const;

export const ENTRY_COLUMNS = {
  session_id: 'text',
  path: 'text',
  cwd: 'text',
  line: 'integer',
  entry_id: 'text',
  parent_id: 'text',
  type: 'text',
  role: 'text',
  timestamp: 'time',
  model: 'text',
  text: 'text',
  text_length: 'integer',
  tool_calls: 'text',
  tool_call_id: 'text',
  tool_name: 'text',
  is_error: 'boolean',
  stop_reason: 'text',
  label: 'text',
  on_path: 'boolean',
} as const;

export const USAGE_COLUMNS = {
  session_id: 'text',
  path: 'text',
  cwd: 'text',
  timestamp: 'time',
  model: 'text',
  input: 'integer',
  output: 'integer',
  cache_read: 'integer',
  cache_write: 'integer',
  total_tokens: 'integer',
  cost: 'number',
  inherited: 'boolean',
} as const;

export function toSessionRow(summary: SessionSummary): Row<typeof SESSION_COLUMNS> {
  return {
    session_id: summary.id,
    path: summary.path,
    cwd: summary.cwd,
    name: summary.name,
    first_message: summary.firstMessage,
    created: summary.created === null ? null : Date.parse(summary.created),
    modified: Date.parse(summary.modified),
    format_version: summary.formatVersion,
    message_count: summary.messageCount,
    user_message_count: summary.userMessageCount,
    entry_count: summary.entryCount,
    leaf_count: summary.leafCount,
    compaction_count: summary.compactionCount,
    models: summary.models.join(','),
    parent_session_path: getParentPath(summary),
    size: summary.size,
  };
}

/**
 * `inherited`: the indexes of those that were copied from the session that this one is a fork of, and are counted
 * there. `toModel`: a name without secrets.
 */
export function* toUsageRows(
  { id, path, cwd }: SessionSummary,
  entryUsages: readonly EntryUsage[],
  inherited: ReadonlySet<number> | undefined,
  toModel: (name: string) => string,
): Generator<Row<typeof USAGE_COLUMNS>> {
  for (const [index, entry] of entryUsages.entries()) {
    const { usage } = entry;
    yield {
      session_id: id,
      path,
      cwd,
      timestamp: entry.time,
      model: entry.model === undefined ? null : toModel(entry.model),
      input: usage.input,
      output: usage.output,
      cache_read: usage.cacheRead,
      cache_write: usage.cacheWrite,
      total_tokens: usage.totalTokens,
      cost: usage.cost,
      inherited: inherited?.has(index) ?? false,
    };
  }
}

/** Every turn of every branch; `on_path`: on the path to the current leaf. */
export async function* toEntryRows(
  document: ExportDocument,
): AsyncGenerator<Row<typeof ENTRY_COLUMNS>> {
  const { id, path, cwd } = document.summary;
  const onPath = new Set<Entry>(getCurrentPath(document.tree));
  for await (const turn of document.turns()) {
    const text = turn.role === 'note' ? turn.note : joinText(turn.blocks);
    yield {
      session_id: id,
      path,
      cwd,
      line: turn.entry.line,
      entry_id: turn.entry.id ?? null,
      parent_id: turn.entry.parentId,
      type: turn.entry.type,
      role: turn.role,
      timestamp: turn.time,
      text,
      text_length: text.length,
      label: turn.label ?? null,
      on_path: onPath.has(turn.entry),
      ...getRoleFacts(turn),
    };
  }
}

function getRoleFacts(turn: Turn) {
  const nothing = {
    model: null,
    stop_reason: null,
    tool_calls: null,
    tool_call_id: null,
    tool_name: null,
    is_error: null,
  };
  if (turn.role === 'assistant') {
    const calls = turn.blocks.filter((block: Block) => block.type === 'toolCall');
    return {
      ...nothing,
      model: turn.model ?? null,
      stop_reason: turn.stopReason ?? null,
      tool_calls: calls.length > 0 ? stringify(calls) : null,
    };
  }
  if (turn.role === 'bash') return { ...nothing, tool_name: 'bash', tool_calls: turn.command };
  if (turn.role !== 'toolResult') return nothing;
  const { callId, toolName, isError } = turn;
  return { ...nothing, tool_call_id: callId, tool_name: toolName, is_error: isError };
}
