import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { isResult } from '../format.ts';
import {
  type Queued,
  type Draft,
  type Gathered,
  isBlankText,
  isReminder,
  isThinking,
  placeTyped,
  saysNothing,
} from './gather-messages.ts';

const INTERRUPTED_RESULT =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its " +
  'outcome is unknown. Check whether it took effect before relying on it or running it again.]';
const MISSING_RESULT = '[Tool result missing due to internal error]';
const ORPHANED_RESULT = '[Orphaned tool result removed due to conversation resume]';
const NO_CONTENT = '(no content)';
const REPEATED_CALL = '[Tool use interrupted]';

const STOPGAPS: ReadonlySet<string> = new Set([
  INTERRUPTED_RESULT,
  MISSING_RESULT,
  ORPHANED_RESULT,
  NO_CONTENT,
  REPEATED_CALL,
]);

/** Returns whether the client puts a text in the place of something that is missing. */
export function isStopgap(text: string): boolean {
  return STOPGAPS.has(text);
}

/**
 * Messages as 2.1.332 sends them, from the lines of a path. `next`: whether the prompt that comes next
 * joins the last of them.
 */
export function repairMessages(gathered: Gathered, next: boolean): readonly Draft[] {
  const { commands, isOpen } = gathered;
  const { messages: answered, isInterrupted } = dropOpenCalls(gathered, next);
  const isUnanswered = isOpen && !isInterrupted && commands.length > 0;
  const behind = isUnanswered ? [NO_RESPONSE, ...commands] : commands;
  const whole = mergeDrafts([...answered, ...behind]);
  const last = whole.at(-1);
  if (next && !isInterrupted && last?.role === 'user' && !last.endsInReminder)
    last.blocks = joinBlocks(last.blocks, [PROMPT]).slice(0, -1);
  return pairResults(whole.map(withoutBlank))
    .map(placeQueued)
    .map(withoutReminders)
    .filter(({ blocks }) => blocks.length > 0);
}

/** The client puts it behind what was not answered. */
const NO_RESPONSE: Draft = {
  role: 'assistant',
  id: undefined,
  blocks: [{ type: 'text', text: 'No response requested.' }],
};

const PROMPT: JsonObject = { type: 'text', text: '' };

/**
 * Prompts in a row become one message, and so do the lines of one answer. `reminded`: the line that the
 * client puts reminders behind.
 */
function mergeDrafts(drafts: readonly Draft[], reminded?: Draft): Draft[] {
  const messages: Draft[] = [];
  const answers = new Map<string | undefined, number>();
  // A line joins an earlier one of its answer unless a prompt that joined no results is between.
  let prompt = -1;
  for (const draft of drafts) {
    const { role, id } = draft;
    const before = findUser(messages);
    if (role === 'assistant' && before && !before.blocks.some(isResult))
      prompt = messages.length - 1;
    const answer = id === undefined ? -1 : (answers.get(id) ?? -1);
    const into = role === 'user' ? before : messages[answer > prompt ? answer : -1];
    if (!into) {
      if (role === 'assistant') answers.set(id, messages.length);
      messages.push({ ...draft });
    } else if (role === 'user') addToPrompt(into, draft);
    else into.blocks = callsLast(withoutBlankTexts([...into.blocks, ...draft.blocks]));
    const last = messages.at(-1);
    if (draft === reminded && last?.role === 'user') last.endsInReminder = true;
  }
  return messages;
}

/**
 * The client puts reminders into the result before them. Alone, behind words of the same message, they remain
 * there, and no line ends behind them.
 */
function addToPrompt(into: Draft, { blocks, queued, inResults, isPrompt }: Draft): void {
  const reminders = queued?.reminders ?? [];
  const isAlone = blocks.length === 0 && reminders.length > 0;
  const isOfResults = into.blocks.every(isResult);
  const isFirst = (into.queued?.reminders ?? []).length === 0;
  const result = isAlone && isOfResults && isFirst ? into.blocks.at(-1) : undefined;
  const isLate = isAlone && !isOfResults;
  into.blocks = into.endsInReminder
    ? resultsFirst([...into.blocks, ...blocks])
    : joinBlocks(into.blocks, blocks);
  if (blocks.length > 0) into.endsInReminder = false;
  if (isLate) {
    into.blocks = [...into.blocks, ...reminders];
    into.endsInReminder = true;
  }
  const rest = queued && (isLate || result) ? { ...queued, reminders: [] } : queued;
  into.queued = joinQueued(into.queued, rest);
  const known = new Map([...(into.inResults ?? []), ...(inResults ?? [])]);
  if (result) known.set(result, [...(known.get(result) ?? []), ...reminders]);
  if (known.size > 0) into.inResults = known;
  into.isPrompt ||= isPrompt;
}

/** Blank texts beside others are left out; one that is all of a message is sent. */
function withoutBlank(message: Draft): Draft {
  const { role, blocks } = message;
  const kept = withoutBlankTexts(blocks);
  if (kept.length === blocks.length || blocks.length === 1) return message;
  return { ...message, hadBlank: true, blocks: role === 'user' ? orElse(kept, NO_CONTENT) : kept };
}

function withoutBlankTexts(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return blocks.filter((block) => !isBlankText(block));
}

/** Moves calls behind the text of an answer; calls between thoughts are kept there. */
function callsLast(blocks: readonly JsonObject[]): readonly JsonObject[] {
  let before: JsonObject | undefined;
  let isBehindCall = false;
  for (const block of blocks) {
    if (isCall(block)) isBehindCall = true;
    else {
      if (isBehindCall && before && isThinking(before) && isThinking(block)) return blocks;
      before = block;
      isBehindCall = false;
    }
  }
  return [...blocks.filter((block) => !isCall(block)), ...blocks.filter(isCall)];
}

function joinQueued(before: Queued | undefined, after: Queued | undefined): Queued | undefined {
  if (!before || !after) return before ?? after;
  return {
    reminders: [...before.reminders, ...after.reminders],
    turns: [...before.turns, ...after.turns],
  };
}

/** Adds reminders after the results that they are in; others after the results of the message. */
function placeQueued({ queued, inResults, ...message }: Draft): Draft {
  if (!queued && !inResults) return message;
  const { reminders, turns } = queued ?? NOT_QUEUED;
  const at = message.blocks.findLastIndex(isResult) + 1;
  const blocks = message.blocks.flatMap((block) => [block, ...(inResults?.get(block) ?? [])]);
  const place = at + blocks.length - message.blocks.length;
  return {
    ...message,
    blocks: [...blocks.slice(0, place), ...reminders, ...blocks.slice(place), ...turns],
  };
}

const NOT_QUEUED: Queued = { reminders: [], turns: [] };

function findUser(messages: readonly Draft[]): Draft | undefined {
  const last = messages.at(-1);
  return last?.role === 'user' ? last : undefined;
}

/** Joins blocks: a line ends between two texts, and results come first. */
function joinBlocks(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly JsonObject[] {
  const last = before.at(-1);
  const isSeam = last?.['type'] === 'text' && after[0]?.['type'] === 'text';
  const text = `${last ? (getString(last, 'text') ?? '') : ''}\n`;
  const joined = isSeam
    ? [...before.slice(0, -1), { ...last, text }, ...after]
    : [...before, ...after];
  return resultsFirst(joined);
}

function resultsFirst(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

function isAnswer({ role }: Draft): boolean {
  return role === 'assistant';
}

function isCall({ type }: JsonObject): boolean {
  return type === 'tool_use';
}

/**
 * Merges lines to messages, without lines of calls that were never answered: where the turn was left at a
 * call, its lines are kept, and those of the last answer are sent, that they were interrupted.
 */
function dropOpenCalls(
  gathered: Gathered,
  next: boolean,
): {
  readonly messages: readonly Draft[];
  readonly isInterrupted: boolean;
} {
  const { drafts } = gathered;
  const merged = mergeDrafts(placeTyped(drafts));
  const results = new Set(merged.flatMap(({ blocks }) => blocks.filter(isResult).map(getCallId)));
  const isOpen = (block: JsonObject): boolean => isCall(block) && !results.has(getId(block));
  const last = findOpenAnswer(merged, gathered);
  const left = last && isLeftInTools(gathered.lines) ? [...sinceLastPrompt(drafts), last] : [last];
  const kept = new Set(left.flatMap((draft) => (draft ? listAnswered(draft) : [])).filter(isOpen));
  const isDropped = (draft: Draft): boolean => {
    const calls = listAnswered(draft).filter(isCall);
    return calls.length > 0 && calls.every((call) => isOpen(call) && !kept.has(call));
  };
  // Read again from the lines: the prompts around an answer that is left out are then one message.
  const said = withoutHollow(drafts.filter((draft) => !isDropped(draft)));
  const placed = placeTyped(said);
  const interrupted = last?.blocks.filter(isOpen) ?? [];
  if (interrupted.length === 0) {
    const reminded = next && !gathered.isOpen ? placed.findLast(isAnswer) : undefined;
    return { messages: mergeDrafts(placed, reminded), isInterrupted: false };
  }
  const blocks = interrupted.map((call): JsonObject => ({
    type: 'tool_result',
    tool_use_id: getId(call),
    is_error: true,
    content: INTERRUPTED_RESULT,
  }));
  const ending: Draft = { role: 'user', id: undefined, blocks };
  return { messages: mergeDrafts([...mergeDrafts(placed), ending]), isInterrupted: true };
}

/** An answer of thoughts only is not sent, nor one of white space, on however many lines. */
function withoutHollow(drafts: readonly Draft[]): readonly Draft[] {
  const toKey = (draft: Draft): unknown => draft.id ?? draft;
  const isFull = ({ blocks }: Draft): boolean => blocks.length > 0 && !saysNothing(blocks);
  const full = new Set(drafts.filter(isFull).map(toKey));
  return drafts.filter((draft) => !isAnswer(draft) || !isHollow(draft) || full.has(toKey(draft)));
}

function isHollow({ blocks, isStripped }: Draft): boolean {
  return isStripped === true || saysNothing(blocks);
}

function listAnswered({ role, blocks }: Draft): readonly JsonObject[] {
  return role === 'assistant' ? blocks : [];
}

/** Finds the last answer, if anything of an answer comes behind the last prompt: it may wait for results. */
function findOpenAnswer(
  messages: readonly Draft[],
  { drafts, isRetried }: Gathered,
): Draft | undefined {
  if (isRetried || !sinceLastPrompt(drafts).some(isAnswer)) return undefined;
  return messages.findLast(isAnswer);
}

function sinceLastPrompt(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.slice(drafts.findLastIndex(({ isPrompt }) => isPrompt) + 1);
}

/** Returns whether only calls come behind the last result, or behind a prompt and something typed since. */
function isLeftInTools(lines: readonly Draft[]): boolean {
  const at = lines.findLastIndex((line) => !isOfTools(line));
  const before = lines[at];
  if (before?.blocks.some(isResult)) return true;
  return before?.role !== 'assistant' && lines.slice(at + 1).some(({ isQueued }) => isQueued);
}

/** Calls, text that was typed meanwhile, thoughts and blanks of an answer, and output of the client. */
function isOfTools({ role, blocks, isPrompt, isQueued, isStripped }: Draft): boolean {
  if (isStripped) return true;
  if (role === 'user') return isQueued === true || (!isPrompt && !blocks.some(isResult));
  if (blocks.some(isCall)) return true;
  return saysNothing(blocks);
}

function getId(call: JsonObject): string {
  return getString(call, 'id') ?? '';
}

function getCallId(result: JsonObject): string {
  return getString(result, 'tool_use_id') ?? '';
}

/**
 * Each result behind the message of its call: the first of several that follow it, and none without a
 * call. One that comes later, behind another answer, is taken for lost.
 */
function pairResults(messages: readonly Draft[]): readonly Draft[] {
  const called = new Set<string>();
  const paired: Draft[] = [];
  let due: readonly JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') {
      const instead = index === 0 && !message.hadBlank ? ORPHANED_RESULT : NO_CONTENT;
      const isSaid = message.blocks.length > 0 || due.length > 0;
      const all = takeResults(message.blocks, due);
      const taken = due.length > 0 ? withoutBlankTexts(all) : all;
      const isWords = (message.queued?.reminders ?? []).length > 0;
      const blocks = isSaid && !isWords ? orElse(taken, instead) : taken;
      paired.push({ ...message, blocks });
      due = [];
      continue;
    }
    if (due.length > 0) paired.push({ role: 'user', id: undefined, blocks: due });
    const kept = message.blocks.filter((block) => {
      if (!isCall(block)) return true;
      const isNew = !called.has(getId(block));
      called.add(getId(block));
      return isNew;
    });
    const calls = kept.filter(isCall);
    const next = messages[index + 1];
    const results = next?.role === 'user' ? next.blocks.filter(isResult) : [];
    due = calls.map(
      (call) => results.find((one) => getCallId(one) === getId(call)) ?? toMissing(call),
    );
    const isRepeated = kept.length === 0 && message.blocks.length > 0;
    const blocks = orElse(kept, isRepeated ? REPEATED_CALL : NO_CONTENT);
    paired.push({ ...message, blocks });
  }
  if (due.length > 0) paired.push({ role: 'user', id: undefined, blocks: due });
  return paired;
}

function toMissing(call: JsonObject): JsonObject {
  const content = MISSING_RESULT;
  return { type: 'tool_result', tool_use_id: getId(call), is_error: true, content };
}

/** Results that are due first, those that are not there before the others, and no more of them. */
function takeResults(
  blocks: readonly JsonObject[],
  due: readonly JsonObject[],
): readonly JsonObject[] {
  const here = blocks.filter((block) => isResult(block) && due.includes(block));
  const missing = due.filter((block) => !here.includes(block));
  const others = blocks.filter((block) => !isResult(block));
  return [...missing, ...here, ...others];
}

function orElse(blocks: readonly JsonObject[], text: string): readonly JsonObject[] {
  return blocks.length > 0 ? blocks : [{ type: 'text', text }];
}

function withoutReminders(message: Draft): Draft {
  return message.blocks.some(isReminder)
    ? { ...message, blocks: message.blocks.filter((block) => !isReminder(block)) }
    : message;
}
