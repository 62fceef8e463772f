import {
  getObject,
  isObject,
  type JsonObject,
  type JsonValue,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { getMessage } from '../format.ts';

const MAY_LACK_CONTENT: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult']);
const EDITABLE: ReadonlySet<unknown> = new Set([...MAY_LACK_CONTENT, 'custom']);
const BLOCKS_ONLY: ReadonlySet<unknown> = new Set(['assistant', 'toolResult']);

/**
 * The messages that one entry contributes to the model's context, as `sessionEntryToContextMessages`
 * of pi 1.6.0. The index knows the `role` that a message has after migration.
 */
export function toContextMessages(entry: JsonObject, role: string | undefined): JsonObject[] {
  switch (entry['type']) {
    case 'message': {
      const message = getMessage(entry);
      return message ? [withContent(withRole(message, role))] : [];
    }
    case 'custom_message':
      return [toCustomMessage(entry)];
    case 'branch_summary':
      return entry['summary'] ? [toSummaryMessage('branchSummary', 'fromId', entry)] : [];
    case 'compaction': {
      const summary = toSummaryMessage('compactionSummary', 'tokensBefore', entry);
      const system = getObject(entry, 'systemMessage');
      return system ? [system, summary] : [summary];
    }
    default:
      return [];
  }
}

/** Applies a context edit's replacement: null omits, anything else replaces the content only. */
export function applyEdit(messages: readonly JsonObject[], edit: JsonObject): JsonObject[] {
  const { replacement } = edit;
  if (!isObject(replacement)) return [];
  const content = replacement['content'] ?? null;
  return messages.map((message) => {
    const { role } = message;
    if (!EDITABLE.has(role)) return message;
    const asBlocks = BLOCKS_ONLY.has(role) && typeof content === 'string';
    return { ...message, content: asBlocks ? [{ type: 'text', text: content }] : content };
  });
}

function withRole(message: JsonObject, role: string | undefined): JsonObject {
  return role === undefined || message['role'] === role ? message : { ...message, role };
}

function withContent(message: JsonObject): JsonObject {
  if (message['content'] !== undefined && message['content'] !== null) return message;
  if (message['role'] === 'system') return { ...message, content: '' };
  return MAY_LACK_CONTENT.has(message['role']) ? { ...message, content: [] } : message;
}

function toCustomMessage(entry: JsonObject): JsonObject {
  return {
    role: 'custom',
    ...copy(entry, ['customType', 'display', 'details']),
    content: entry['content'] ?? [],
    timestamp: toTime(entry['timestamp']),
  };
}

function toSummaryMessage(role: string, key: string, entry: JsonObject): JsonObject {
  return { role, ...copy(entry, ['summary', key]), timestamp: toTime(entry['timestamp']) };
}

function copy(from: JsonObject, keys: readonly string[]): Record<string, JsonValue> {
  const found: Record<string, JsonValue> = {};
  for (const key of keys) {
    const value = from[key];
    if (value !== undefined) found[key] = value;
  }
  return found;
}
