import { toParts } from '../../../model/text/conversation.ts';
import type { EntryDescription } from '../../../dialect/dialect.ts';
import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { parseBashInput, parseBashOutput } from './bash-text.ts';
import { getConfigTitle, getCustomTitle, getParts, isCompaction, isMessage } from '../format.ts';
import { getText, getToolOutcomes } from './parts.ts';

const MAX_PREVIEW = 200;

/** Describes a line for people. Neovate itself has no view of its tree. */
export function describeEntry(entry: JsonObject): EntryDescription {
  if (!isMessage(entry))
    return { preview: shorten(describeAside(entry)), visibility: 'bookkeeping' };
  const outcomes = getToolOutcomes(entry);
  if (outcomes.length > 0) {
    const outputs = outcomes.map(({ toolName, content }) => {
      const texts = toParts(content).map((part) => getString(part, 'text') ?? '');
      return `${toolName || 'tool'}: ${shorten(texts.join(' '))}`;
    });
    return { preview: shorten(outputs.join(' | ')), visibility: 'tool' };
  }
  const text = shorten(getText(entry));
  if (entry['role'] !== 'assistant') {
    const isOther = isCompaction(entry) || entry['hidden'] === true || entry['role'] !== 'user';
    return { preview: shorten(toShown(entry, text)), visibility: isOther ? 'other' : 'user' };
  }
  const calls = getParts(entry).filter(({ type }) => type === 'tool_use');
  const names = calls.map((call) => `${getString(call, 'name') ?? '?'}()`);
  return {
    preview: text || shorten(names.join(' ')),
    visibility: text.trim() === '' ? 'silent' : 'other',
  };
}

function toShown({ content }: JsonObject, text: string): string {
  if (typeof content !== 'string') return text;
  const command = parseBashInput(content) ?? parseBashOutput(content)?.command;
  return command === undefined ? text : `$ ${command}`;
}

/** A line that is not a message, in a few words. */
export function describeAside(entry: JsonObject): string {
  const title = getCustomTitle(entry) ?? getConfigTitle(entry);
  if (title !== undefined) return title;
  const config = getObject(entry, 'config');
  if (config) return getString(config, 'approvalMode') ?? '';
  return Object.keys(getObject(entry, 'trackedFileBackups') ?? {}).join(' ');
}

function shorten(text: string): string {
  return text.slice(0, MAX_PREVIEW);
}
