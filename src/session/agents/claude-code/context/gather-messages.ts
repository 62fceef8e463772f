import type { ReadPayload } from '../../../dialect/fold.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { NO_MODEL } from '../entry/entry-usage.ts';
import { isHarnessText } from '../entry/user-text.ts';
import { getMessage } from '../format.ts';

/** A message on its way to the model. Its blocks are those of the lines, in their order. */
export interface Draft {
  readonly role: 'user' | 'assistant';
  /** Of an answer: lines that share it are one. */
  readonly id: string | undefined;
  blocks: readonly JsonObject[];
}

/** The lines of a path that say something to the model, one draft for each. */
export async function gatherMessages(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<readonly Draft[]> {
  const model = findModel(path);
  const last = path.findLast(({ type }) => type === 'message' || type === 'compaction');
  const drafts: Draft[] = [];
  for (const entry of path) {
    if (!isSpoken(entry)) continue;
    const value = await readPayload(entry);
    // The client has written it in place of an answer; the prompt is asked again.
    if (value['isApiErrorMessage'] === true && entry !== last) continue;
    const draft = toDraft(value, model);
    if (draft) drafts.push(draft);
  }
  return drafts;
}

const SPOKEN_TYPES: ReadonlySet<string> = new Set(['message', 'compaction']);

function isSpoken({ type, customType }: Entry): boolean {
  if (type === 'attachment') return customType === 'queued_command';
  return SPOKEN_TYPES.has(type) || isCommand({ type, customType });
}

/** A command of the person, or what it printed, on a line of the client. */
function isCommand({ type, customType }: Pick<Entry, 'type' | 'customType'>): boolean {
  return type === 'system' && customType === 'local_command';
}

/**
 * Whether the next prompt joins the last message: only behind something that was to be answered does
 * the client put an answer of its own.
 */
export function joinsPrompt(path: readonly Entry[], drafts: readonly Draft[]): boolean {
  const last = path.findLast(({ type }) => SPOKEN_TYPES.has(type) || type === 'attachment');
  const message = path.findLast(({ type }) => SPOKEN_TYPES.has(type));
  if (last?.type === 'attachment' && message?.type === 'compaction') return true;
  const blocks = drafts.at(-1)?.blocks ?? [];
  return blocks.every(({ type, text }) => {
    return type === 'text' && typeof text === 'string' && isHarnessText(text);
  });
}

/**
 * The model that goes on: the one that answered last. 2.1.330 goes on with another one where that is
 * no longer to be had.
 */
function findModel(path: readonly Entry[]): string | undefined {
  const answered = path.findLast(({ model }) => {
    return model?.modelId !== undefined && model.modelId !== NO_MODEL;
  });
  const name = answered?.model?.modelId;
  return name === undefined || RETIRED.test(name) ? undefined : name;
}

const RETIRED = /^claude-(?:[123]|instant|(?:opus|sonnet)-4(?:-0|-1|-20250514|-20250805|$))/;

function toDraft(value: JsonObject, model: string | undefined): Draft | undefined {
  if (value['type'] === 'system') {
    const text = getString(value, 'content') ?? '';
    return { role: 'user', id: undefined, blocks: [{ type: 'text', text }] };
  }
  if (value['type'] === 'attachment') return toQueued(getObject(value, 'attachment') ?? {}, value);
  const message = getMessage(value);
  const blocks = message && toBlocks(message['content']);
  if (!message || !blocks) return undefined;
  if (value['type'] === 'user') return { role: 'user', id: undefined, blocks };
  const name = getString(message, 'model');
  const kept = name === model ? blocks : blocks.filter((block) => !isSignedThinking(block));
  // Nothing is left of it; an answer without any block is another matter.
  if (kept.length === 0 && blocks.length > 0) return undefined;
  return { role: 'assistant', id: getString(message, 'id'), blocks: kept.map(renameTool) };
}

/** Tools that go by another name since the line was written. */
const RENAMED_TOOLS: ReadonlyMap<unknown, string> = new Map([['Task', 'Agent']]);

function renameTool(block: JsonObject): JsonObject {
  const name = block['type'] === 'tool_use' ? RENAMED_TOOLS.get(block['name']) : undefined;
  return name === undefined ? block : { ...block, name };
}

/** Undefined for what is no content. */
function toBlocks(content: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return isArray(content) ? content.filter(isObject) : undefined;
}

/** Another model does not take it. */
function isSignedThinking(block: JsonObject): boolean {
  return isThinking(block) && (block['type'] !== 'thinking' || Boolean(block['signature']));
}

export function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

const REMINDER_START = '<system-reminder>\n';
const REMINDER_END = '\n</system-reminder>';

/** What a person typed while the agent was at work. */
function toQueued(attachment: JsonObject, value: JsonObject): Draft {
  const { prompt } = attachment;
  const isTyped = (attachment['commandMode'] ?? 'prompt') === 'prompt';
  const text = isTyped ? wrapPrompt(getPromptText(prompt)) : (getRendered(value) ?? '');
  const images = isArray(prompt)
    ? prompt.filter(isObject).filter(({ type }) => type === 'image')
    : [];
  return { role: 'user', id: undefined, blocks: [{ type: 'text', text }, ...images] };
}

function getPromptText(prompt: JsonValue | undefined): string {
  const blocks = toBlocks(prompt) ?? [];
  return blocks.flatMap((block) => getString(block, 'text') ?? []).join('\n');
}

function wrapPrompt(text: string): string {
  return (
    `The user sent a new message while you were working:\n${text}\n\n` +
    'This is how Claude Code surfaces messages the user sends mid-turn — within the running turn, ' +
    'often alongside the next tool result, rather than as a separate conversation turn. ' +
    'Address the message above as you continue this turn.'
  );
}

/** What the client had made of it when it was sent first. */
function getRendered({ rendered }: JsonObject): string | undefined {
  const first = isArray(rendered) ? rendered.find(isObject) : undefined;
  const text = first && getString(first, 'content');
  return text?.startsWith(REMINDER_START) && text.endsWith(REMINDER_END)
    ? text.slice(REMINDER_START.length, -REMINDER_END.length)
    : text;
}

/** Whether a text is one that the client puts around prompts, and leaves to the moment of sending. */
export function isReminder(block: JsonObject): boolean {
  return block['type'] === 'text' && (getString(block, 'text') ?? '').startsWith(REMINDER_START);
}
