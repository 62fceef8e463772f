import { isMessage } from '../entry/to-entry.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listObjects,
} from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { NO_MODEL } from '../entry/entry-usage.ts';
import { isHarnessText } from '../entry/user-text.ts';
import { getMessage, isApiError, isResult, isRetired, isTypedCommand } from '../format.ts';
import { placeAroundAnswers, toUses } from './around-answers.ts';

/** A message on its way to the model. Its blocks are those of the lines, in their order. */
export interface Draft {
  readonly role: 'user' | 'assistant';
  /** The id of an answer, which all its lines share. */
  readonly id: string | undefined;
  blocks: readonly JsonObject[];
  /** Text that was typed while the agent was at work, and is sent apart from the prompts around it. */
  queued?: Queued | undefined;
  /** The text that was typed behind some of its results: the client puts it into them. */
  inResults?: ReadonlyMap<JsonObject, readonly JsonObject[]> | undefined;
  /** Blank texts were left out of it. */
  readonly hadBlank?: boolean | undefined;
  /** Its last block was typed while the agent was at work. */
  endsInReminder?: boolean | undefined;
  /** Was typed while the agent was at work. */
  readonly isQueued?: boolean | undefined;
  /** Held nothing but thoughts that the model does not take. */
  readonly isStripped?: boolean | undefined;
  /** Begins a turn: it is of a line of a user, and no result. */
  isPrompt?: boolean | undefined;
}

/** `reminders` stand behind the results of a message and before its texts, `turns` behind all. */
export interface Queued {
  readonly reminders: readonly JsonObject[];
  readonly turns: readonly JsonObject[];
}

/** The messages of a path for the model, one draft for each line. */
export interface Gathered {
  /** Drafts in the order in which the client reads them, with answers that failed. */
  readonly drafts: readonly Draft[];
  /** The drafts in the order of the path, and with answers that failed. */
  readonly lines: readonly Draft[];
  /** Commands behind the last message or attachment, and what they printed. */
  readonly commands: readonly Draft[];
  /** Whether the last message waits for an answer; a summary with an attachment behind it does not. */
  readonly isOpen: boolean;
  /** Whether the last answer failed, and the next prompt is asked with the one before it. */
  readonly isRetried: boolean;
  /** Entries of the path that the client continues as without. */
  readonly hollow: ReadonlySet<Entry>;
}

/** Replaces an answer; nothing of it is sent, but it stands between the prompts around it. */
const RETRIED: Draft = { role: 'assistant', id: undefined, blocks: [] };

/** The lines of a path that say something to the model. */
export async function gatherMessages(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<Gathered> {
  const lines: Line[] = [];
  for (const entry of path)
    if (isSpoken(entry)) lines.push({ entry, value: await readPayload(entry) });
  const hollow = findHollow(lines);
  const said = lines.filter(({ entry }) => !hollow.has(entry));
  const model = findModel(said);
  const last = said.findLast(({ entry }) => isMessage(entry))?.entry;
  const drafts = new Map<Line, Draft>();
  const commands: Draft[] = [];
  const shown = path.filter((entry) => !hollow.has(entry));
  const end = shown.findLastIndex(isOfTalk);
  const behind = new Set(shown.slice(end + 1));
  let isRetried = false;
  for (const line of said) {
    const { entry, value } = line;
    // The client has written it instead of an answer; the prompt is asked again.
    const isFailed = isApiError(value);
    isRetried = isFailed && (entry !== last || entry.model?.modelId === NO_MODEL);
    const draft = isRetried ? RETRIED : toDraft(value, model);
    if (!draft) continue;
    if (behind.has(entry) && isCommand(entry)) commands.push(draft);
    else drafts.set(line, draft);
  }
  const isAttachedTo = last?.type === 'compaction' && last !== shown[end];
  const isOpen = last !== undefined && last.role !== 'assistant' && !isAttachedTo;
  const placed = placeAroundAnswers(lines, ({ entry }) => toUses(entry));
  return {
    drafts: placed.flatMap((line) => drafts.get(line) ?? []),
    lines: [...drafts.values()],
    commands,
    isOpen,
    isRetried,
    hollow,
  };
}

/** A line that may say something, with what it says. */
interface Line {
  readonly entry: Entry;
  readonly value: JsonObject;
}

/** Lines of answers that say nothing but thoughts and blanks: the client continues as without them. */
function findHollow(lines: readonly Line[]): ReadonlySet<Entry> {
  const toKey = ({ entry }: Line): unknown => entry.messageId ?? entry;
  const empty: Line[] = [];
  const full = new Set<unknown>();
  for (const line of lines) {
    if (line.entry.role !== 'assistant') continue;
    const blocks = toBlocks(getMessage(line.value)?.['content']) ?? [];
    if (saysNothing(blocks)) empty.push(line);
    else if (blocks.length > 0) full.add(toKey(line));
  }
  return new Set(empty.filter((line) => !full.has(toKey(line))).map(({ entry }) => entry));
}

/** Returns whether blocks are nothing but thoughts and blanks. */
export function saysNothing(blocks: readonly JsonObject[]): boolean {
  return blocks.length > 0 && blocks.every((block) => isThinking(block) || isBlankText(block));
}

/**
 * Orders drafts as they are merged: text that was typed during a turn comes before the prompts between two
 * answers, behind results. Nothing is left of answers that are replaced.
 */
export function placeTyped(drafts: readonly Draft[]): readonly Draft[] {
  const placed: Draft[] = [];
  for (const draft of drafts) {
    const at = draft.isQueued
      ? 1 + placed.findLastIndex((one) => isStop(one) || one.isQueued)
      : placed.length;
    placed.splice(at, 0, draft);
  }
  return placed.filter((draft) => draft !== RETRIED);
}

function isStop({ role, blocks }: Draft): boolean {
  return role === 'assistant' || blocks.some(isResult);
}

export function isBlankText(block: JsonObject): boolean {
  return block['type'] === 'text' && (getString(block, 'text') ?? '').trim() === '';
}

function isOfTalk(entry: Entry): boolean {
  return isMessage(entry) || entry.type === 'attachment';
}

function isSpoken(entry: Entry): boolean {
  if (entry.type === 'attachment') return entry.customType === 'queued_command';
  return isMessage(entry) || isCommand(entry);
}

/** A command of the person, or what it printed, on a line of the client. */
function isCommand({ type, customType }: Pick<Entry, 'type' | 'customType'>): boolean {
  return type === 'system' && customType === 'local_command';
}

/**
 * Returns whether the next prompt joins the last message: only behind something that was to be answered does
 * the client put an answer of its own.
 */
export function joinsPrompt(
  path: readonly Entry[],
  { commands, drafts, isOpen, isRetried, hollow }: Gathered,
): boolean {
  if (isRetried) return false;
  const said = path.filter((entry) => !hollow.has(entry));
  const message = said.findLast(isMessage);
  if (message?.type === 'compaction' && !isOpen) return true;
  const last = said.findLast(isOfTalk);
  const isTyped = last?.customType === 'queued_command';
  const isMoved = last === message && drafts.at(-1)?.isQueued === true;
  if ((isTyped || isMoved) && message?.role === 'assistant') return true;
  return commands.length > 0 || endsWithCaveat(drafts);
}

const CAVEATS = ['<local-command-caveat>', 'Caveat: '];

/**
 * Returns whether drafts end with a caveat: behind one, a command of the person and what it printed ask for
 * no answer.
 */
function endsWithCaveat(drafts: readonly Draft[]): boolean {
  const at = drafts.findLastIndex(({ blocks }) => !blocks.every((block) => isHarness(block)));
  return drafts
    .slice(at + 1)
    .some(({ blocks }) => blocks.some((block) => CAVEATS.some((start) => hasStart(block, start))));
}

function isHarness(block: JsonObject): boolean {
  const text = getString(block, 'text') ?? '';
  return block['type'] === 'text' && (isHarnessText(text) || text.startsWith('<command-name>'));
}

function hasStart(block: JsonObject, start: string): boolean {
  return getString(block, 'text')?.startsWith(start) === true;
}

/**
 * The model that continues: the one that answered last. 2.1.332 continues with another one where that is
 * no longer to be had.
 */
function findModel(lines: readonly Line[]): string | undefined {
  const answered = lines.findLast(({ entry: { model } }) => {
    return model?.modelId !== undefined && model.modelId !== NO_MODEL;
  });
  const name = answered?.entry.model?.modelId;
  return name === undefined || isRetired(name) ? undefined : name;
}

/** These take what the client adds as reminders; later ones have turns of their own for that. */
const TAKES_REMINDERS = /^claude-(?:haiku-4|sonnet-4|opus-4-[567])/;

function toDraft(value: JsonObject, model: string | undefined): Draft | undefined {
  if (value['type'] === 'system') {
    const text = getString(value, 'content') ?? '';
    return { role: 'user', id: undefined, blocks: [{ type: 'text', text }] };
  }
  if (value['type'] === 'attachment') {
    return toQueued(getObject(value, 'attachment') ?? {}, value, model);
  }
  const message = getMessage(value);
  const blocks = message && toBlocks(message['content']);
  if (!message || !blocks) return undefined;
  if (value['type'] === 'user') {
    return { role: 'user', id: undefined, blocks, isPrompt: !blocks.some(isResult) };
  }
  const name = getString(message, 'model');
  const kept = name === model ? blocks : blocks.filter((block) => !isSignedThinking(block));
  // Nothing is left of it; an answer without any block is another matter.
  const isStripped = kept.length === 0 && blocks.length > 0;
  const id = getString(message, 'id');
  return { role: 'assistant', id, blocks: kept.map(renameTool), isStripped };
}

/** Tools that go by another name since the line was written. */
const RENAMED_TOOLS: ReadonlyMap<unknown, string> = new Map([['Task', 'Agent']]);

function renameTool(block: JsonObject): JsonObject {
  const name = block['type'] === 'tool_use' ? RENAMED_TOOLS.get(block['name']) : undefined;
  return name === undefined ? block : { ...block, name };
}

/** Converts content to the blocks that the client reads; undefined for other values. */
function toBlocks(content: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!isArray(content)) return undefined;
  return content.filter(isObject).filter(isReadBlock);
}

/** The client leaves out blocks without a type, and those of text without text. */
function isReadBlock({ type, text }: JsonObject): boolean {
  return typeof type === 'string' && (type !== 'text' || typeof text === 'string');
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

/** Makes the draft of text that was typed while the agent was at work. */
function toQueued(attachment: JsonObject, value: JsonObject, model: string | undefined): Draft {
  const { prompt } = attachment;
  const rendered = getRendered(value);
  const text = rendered ?? (isTypedCommand(attachment) ? wrapPrompt(getPromptText(prompt)) : '');
  const images = listObjects(prompt).filter(({ type }) => type === 'image');
  const blocks = [{ type: 'text', text }, ...images];
  const said = { role: 'user', id: undefined, isQueued: true } as const;
  const sentAs = value['renderedRole'] ?? (TAKES_REMINDERS.test(model ?? '') ? 'user' : 'system');
  if (sentAs === 'user') return { ...said, blocks: [], queued: { reminders: blocks, turns: [] } };
  const isHuman =
    attachment['humanTurn'] === true && getObject(attachment, 'origin')?.['kind'] === 'human';
  if (isHuman) return { ...said, blocks };
  return { ...said, blocks: [], queued: { reminders: [], turns: blocks } };
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

/** Returns the text that the client made of it when it was first sent. */
function getRendered({ rendered }: JsonObject): string | undefined {
  const first = isArray(rendered) ? rendered.find(isObject) : undefined;
  const text = first && getString(first, 'content');
  return text?.startsWith(REMINDER_START) && text.endsWith(REMINDER_END)
    ? text.slice(REMINDER_START.length, -REMINDER_END.length)
    : text;
}

/** Returns whether a text is one that the client puts around prompts, and leaves to the moment of sending. */
export function isReminder(block: JsonObject): boolean {
  return block['type'] === 'text' && (getString(block, 'text') ?? '').startsWith(REMINDER_START);
}
