import type { EntryDescription } from '../../../dialect/dialect.ts';
import { getObject, getString, type JsonObject, listObjects } from '../../../jsonl/edit/json.ts';
import { getBlocks, isCompactSummary, isResult, isToolResult, isTypedCommand } from '../format.ts';
import { getText, toTyped } from './user-text.ts';

const MAX_PREVIEW = 200;

/** Describes a line for people. */
export function describeEntry(value: JsonObject): EntryDescription {
  const { preview, visibility } = describe(value);
  return { preview: preview.slice(0, MAX_PREVIEW), visibility };
}

function describe(value: JsonObject): EntryDescription {
  switch (value['type']) {
    case 'user':
      return describeUser(value);
    case 'assistant':
      return describeAssistant(value);
    case 'attachment':
      return describeAttachment(getObject(value, 'attachment') ?? {});
    case 'system':
      return { preview: describeSystem(value), visibility: 'bookkeeping' };
    default:
      return { preview: describeAside(value), visibility: 'bookkeeping' };
  }
}

function describeUser(value: JsonObject): EntryDescription {
  if (isToolResult(value)) {
    const texts = getBlocks(value).filter(isResult).map(getResultText);
    return { preview: texts.join(' | '), visibility: 'tool' };
  }
  if (isCompactSummary(value)) return { preview: getText(value), visibility: 'other' };
  const typed = toTyped(value);
  return typed === undefined
    ? { preview: getText(value), visibility: 'bookkeeping' }
    : { preview: typed, visibility: 'user' };
}

/** The text that the model was given for a call. */
function getResultText(block: JsonObject): string {
  const { content } = block;
  if (typeof content === 'string') return content;
  const texts = listObjects(content).map((part) => getString(part, 'text') ?? '');
  return texts.join('\n');
}

function describeAssistant(value: JsonObject): EntryDescription {
  const text = getText(value);
  const calls = getBlocks(value).filter(({ type }) => type === 'tool_use');
  const names = calls.map((call) => `${getString(call, 'name') ?? '?'}()`).join(' ');
  return { preview: text || names, visibility: text.trim() === '' ? 'silent' : 'other' };
}

function describeAttachment(attachment: JsonObject): EntryDescription {
  const type = getString(attachment, 'type') ?? '';
  const prompt = getString(attachment, 'prompt');
  if (type === 'queued_command' && prompt !== undefined) {
    return { preview: prompt, visibility: isTypedCommand(attachment) ? 'user' : 'bookkeeping' };
  }
  const name = getString(attachment, 'filename');
  return { preview: name ?? type, visibility: type === 'file' ? 'other' : 'bookkeeping' };
}

function describeSystem(value: JsonObject): string {
  return getString(value, 'content') ?? getString(value, 'subtype') ?? '';
}

/** A line that is not a part of the conversation, in a few words. */
export function describeAside(value: JsonObject): string {
  for (const key of ['customTitle', 'aiTitle', 'summary', 'lastPrompt', 'agentName', 'tag']) {
    const text = getString(value, key);
    if (text !== undefined) return text;
  }
  return '';
}
