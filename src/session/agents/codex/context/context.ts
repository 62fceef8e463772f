import type { SessionContext } from '../../../dialect/dialect.ts';
import { getModelSettings } from '../../../dialect/model-settings.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { REPLACES, RESTART } from '../entry/to-entry.ts';
import { isTyped, PASSTHROUGH } from '../entry/typed.ts';
import { isEnveloped, openLine } from '../format.ts';
import { hasHalfPair } from '../entry/fields/half-pairs.ts';
import { findLineFault } from '../entry/fields/line-fields.ts';

/** Items that the model is sent, by the type of their entries; others are read and left out. */
const ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'image_generation_call',
  'agent_message',
  'additional_tools',
  'compaction_summary',
  'context_compaction',
]);

/** Returns whether an entry is an item of the Responses API. */
export function isItem({ type }: Entry): boolean {
  return ITEMS.has(type);
}

/** Types of items that are never sent: inside of compactions, or from old releases. */
const UNSENT: ReadonlySet<string> = new Set(['compaction', 'ghost_snapshot']);

/** Returns whether a release is known to write items of a type. */
export function isKnownItem(type: string): boolean {
  return ITEMS.has(type) || UNSENT.has(type);
}

/**
 * The entries of a path that make the context of Codex 0.169: the items behind the newest compaction
 * with that compaction first. One that holds only a summary keeps the prompts before it.
 */
export function selectContext(path: readonly Entry[]): readonly Entry[] {
  return selectRange(path).filter((entry) => isItem(entry) || entry.type === 'compaction');
}

/** The entries of a path without those that its last restart or its newest compaction stands for. */
export function selectRange(path: readonly Entry[]): readonly Entry[] {
  const restart = path.findLastIndex(({ customType }) => customType === RESTART);
  return selectUncompacted(path.slice(restart + 1));
}

/** The entries of a path without those that its newest compaction stands for; that compaction is among them. */
export function selectUncompacted(path: readonly Entry[]): readonly Entry[] {
  const at = path.findLastIndex(({ type }) => type === 'compaction');
  const compaction = path[at];
  if (!compaction) return path;
  const after = path.slice(at);
  if (compaction.customType === REPLACES) return after;
  const before = selectUncompacted(path.slice(0, at));
  const kept = before.filter((one) => one.role === 'user' || one.type === 'compaction');
  return [...kept, ...after];
}

/** Returns whether Codex skips a line, because of a field or half of a surrogate pair. */
export function isSkipped(line: JsonObject): boolean {
  return isEnveloped(line) && (findLineFault(line) !== undefined || hasHalfPair(line));
}

/** The items that the model is sent, as 0.169 sends them; without its base instructions. */
export async function buildContext(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<SessionContext> {
  let items: JsonObject[] = [];
  for (const entry of selectContext(path)) {
    if (entry.type === 'compaction') {
      items = await applyCompaction(items, entry, readPayload);
    } else {
      const line = await readPayload(entry);
      if (!isSkipped(line)) items.push(rename(openLine(line).payload));
    }
  }
  return { messages: pairCalls(items).map(withoutInternals), ...getModelSettings(path) };
}

async function applyCompaction(
  before: readonly JsonObject[],
  entry: Entry,
  readPayload: ReadPayload,
): Promise<JsonObject[]> {
  const line = await readPayload(entry);
  const { payload } = openLine(line);
  const { replacement_history: history } = payload;
  if (isArray(history))
    return history.filter(isObject).flatMap((item) => toReplaced(item, 'ordinal' in line));
  const text = getString(payload, 'message') ?? '';
  const summary = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  return [...before.filter(isTyped), summary];
}

/** An item of a compaction: one of a type that the client does not know is sent as no more than that. */
function toReplaced(item: JsonObject, isPaginated: boolean): JsonObject[] {
  const type = getString(item, 'type') ?? '';
  if (type === 'compaction' || ITEMS.has(type)) return [rename(item)];
  return type === 'ghost_snapshot' && !isPaginated ? [] : [{ type: 'other' }];
}

/** The client sends a summary by the newer of its two names. */
function rename(item: JsonObject): JsonObject {
  return item['type'] === 'compaction_summary' ? { ...item, type: 'compaction' } : item;
}

/** An item without the members that the client does not send. */
function withoutInternals(item: JsonObject): JsonObject {
  const kept = Object.entries(item).filter(
    ([key, value]) => key !== PASSTHROUGH && (value !== null || key === 'content'),
  );
  return Object.fromEntries(kept);
}

const OUTPUTS: ReadonlyMap<string, string> = new Map([
  ['function_call', 'function_call_output'],
  ['custom_tool_call', 'custom_tool_call_output'],
  ['local_shell_call', 'function_call_output'],
  ['tool_search_call', 'tool_search_output'],
]);
const OUTPUT_TYPES: ReadonlySet<unknown> = new Set(OUTPUTS.values());

/** A call without output is answered by `aborted`, and an output without a call is not sent. */
function pairCalls(items: readonly JsonObject[]): JsonObject[] {
  const answered = new Set<string>();
  const called = new Set<string>();
  for (const item of items) {
    const key = toCallKey(item);
    if (key !== undefined) (OUTPUT_TYPES.has(item['type']) ? answered : called).add(key);
  }
  return items.flatMap((item) => {
    const key = toCallKey(item);
    if (key === undefined) return [item];
    if (OUTPUT_TYPES.has(item['type'])) return called.has(key) ? [item] : [];
    return answered.has(key) ? [item] : [item, toAborted(item)];
  });
}

/** Makes the key that a call and its output share; undefined for every other item. */
function toCallKey(item: JsonObject): string | undefined {
  const type = getString(item, 'type') ?? '';
  const id = getString(item, 'call_id');
  if (id === undefined) return undefined;
  const output = OUTPUT_TYPES.has(type) ? type : OUTPUTS.get(type);
  return output === undefined ? undefined : JSON.stringify([output, id]);
}

function toAborted(call: JsonObject): JsonObject {
  const type = OUTPUTS.get(getString(call, 'type') ?? '') ?? 'function_call_output';
  const answer: Record<string, JsonValue> =
    type === 'tool_search_output'
      ? { status: 'completed', execution: 'client', tools: [] }
      : { output: 'aborted' };
  return { type, call_id: call['call_id'] ?? '', ...answer };
}
