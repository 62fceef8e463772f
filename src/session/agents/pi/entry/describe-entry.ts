import type { EntryDescription } from '../../../dialect/dialect.ts';
import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listObjects,
} from '../../../jsonl/edit/json.ts';
import { getMessage } from '../format.ts';

const MAX_PREVIEW = 200;
/** Changes of settings and other bookkeeping, which pi's `/tree` hides at first. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'label',
  'context_edit',
  'custom',
  'model_change',
  'thinking_level_change',
  'session_info',
]);
const UNREMARKABLE: ReadonlySet<unknown> = new Set([undefined, '', 'stop', 'toolUse']);

/** An entry as pi's `/tree` shows it (0.87.1, tree-selector). */
export function describeEntry(entry: JsonObject): EntryDescription {
  const message = getMessage(entry);
  return {
    preview: getPreview(entry, message).slice(0, MAX_PREVIEW),
    visibility: getVisibility(entry, message),
  };
}

function getVisibility(
  entry: JsonObject,
  message: JsonObject | undefined,
): EntryDescription['visibility'] {
  if (entry['type'] === 'usage') return 'never';
  if (BOOKKEEPING.has(entry['type'])) return 'bookkeeping';
  const role = message?.['role'];
  if (role === 'user') return 'user';
  if (role === 'toolResult') return 'tool';
  if (role !== 'assistant') return 'other';
  const says =
    getText(message?.['content']).trim() !== '' || !UNREMARKABLE.has(message?.['stopReason']);
  return says ? 'other' : 'silent';
}

function getPreview(entry: JsonObject, message: JsonObject | undefined): string {
  if (message) return getMessagePreview(message);
  const field = (key: string): string => getString(entry, key) ?? '';
  switch (entry['type']) {
    case 'custom_message':
      return `[${field('customType')}] ${getText(entry['content'])}`;
    case 'compaction':
    case 'branch_summary':
      return field('summary');
    case 'model_change':
      return field('model') || `${field('provider')}/${field('modelId')}`;
    case 'thinking_level_change':
      return field('thinkingLevel');
    case 'custom':
      return field('customType');
    case 'label':
      return field('label') || '(cleared)';
    case 'session_info':
      return field('name') || '(cleared)';
    case 'context_edit':
      return entry['replacement'] === null ? 'omits' : 'replaces';
    default:
      return '';
  }
}

function getMessagePreview(message: JsonObject): string {
  const text = getText(message['content']);
  switch (message['role']) {
    case 'assistant':
      return text || getToolNames(message['content']) || (getString(message, 'errorMessage') ?? '');
    case 'toolResult':
      return `${getString(message, 'toolName') ?? 'tool'}: ${text}`;
    case 'bashExecution':
      return `$ ${getString(message, 'command') ?? ''}`;
    default:
      return text || (getString(message, 'summary') ?? '');
  }
}

/** Text blocks joined by a space; never more than a preview needs. */
function getText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content.slice(0, MAX_PREVIEW * 2);
  if (!isArray(content)) return '';
  const texts = content.flatMap((block) =>
    isObject(block) ? (getString(block, 'text') ?? []) : [],
  );
  return texts.map((text) => text.slice(0, MAX_PREVIEW * 2)).join(' ');
}

function getToolNames(content: JsonValue | undefined): string {
  const calls = listObjects(content).filter((block) => block['type'] === 'toolCall');
  return calls.map((call) => `${getString(call, 'name') ?? '?'}()`).join(' ');
}
