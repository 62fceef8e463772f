import {
  getNumber,
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
} from '../../../jsonl/edit/json.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import { getMessage } from '../format.ts';

/** The name of a model that was not recorded: pi takes it for another model than any that it knows. */
const UNKNOWN = '"unknown"';
const COUNTS = ['input', 'output', 'cacheRead', 'cacheWrite'];
const NO_COST = '{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}';
/** Counts of nothing, which pi skips when it looks for the size of the context. */
const NO_USAGE = `{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,"cost":${NO_COST}}`;

/**
 * The line of an entry of the array dialect with what every later version has, and pi reads without
 * asking whether it is there. What is there is kept.
 */
export function fillGaps(bytes: Buffer, entry: JsonObject): Buffer {
  if (entry['type'] === 'compaction') {
    return splice(bytes, missing(entry, { tokensBefore: '0' }));
  }
  const message = getMessage(entry);
  const role = message && getString(message, 'role');
  if (message && role === 'assistant') return fillAssistant(bytes, message);
  if (message && role === 'toolResult') {
    const gaps = { toolName: UNKNOWN, isError: 'false' };
    return splice(bytes, [...toBlocks(message), ...missing(message, gaps)], ['message']);
  }
  return bytes;
}

function fillAssistant(bytes: Buffer, message: JsonObject): Buffer {
  const { content } = message;
  const isCall = (block: unknown): boolean => isObject(block) && block['type'] === 'toolCall';
  const stopReason = isArray(content) && content.some(isCall) ? '"toolUse"' : '"stop"';
  const gaps = { api: UNKNOWN, provider: UNKNOWN, model: UNKNOWN, usage: NO_USAGE, stopReason };
  const edits = [...toBlocks(message), ...missing(message, gaps)];
  return fillUsage(splice(bytes, edits, ['message']), getObject(message, 'usage'));
}

function fillUsage(bytes: Buffer, usage: JsonObject | undefined): Buffer {
  if (!usage) return bytes;
  const counts = Object.fromEntries(COUNTS.map((key) => [key, '0']));
  const at = ['message', 'usage'];
  const filled = splice(bytes, missing(usage, { ...counts, cost: NO_COST }), at);
  const cost = getObject(usage, 'cost');
  if (!cost) return filled;
  const total = COUNTS.reduce((sum, key) => sum + (getNumber(cost, key) ?? 0), 0);
  return splice(filled, missing(cost, { total: String(total) }), [...at, 'cost']);
}

/** Returns the edits of content: in an array, text may stand where later versions have blocks. */
function toBlocks({ content }: JsonObject): readonly MemberEdit[] {
  if (typeof content !== 'string') return [];
  return [{ key: 'content', value: JSON.stringify([{ type: 'text', text: content }]) }];
}

function missing(object: JsonObject, gaps: Readonly<Record<string, string>>): MemberEdit[] {
  return Object.entries(gaps).flatMap(([key, value]) =>
    (object[key] ?? null) === null ? [{ key, value }] : [],
  );
}

function splice(bytes: Buffer, edits: readonly MemberEdit[], at: readonly string[] = []): Buffer {
  return edits.length === 0 ? bytes : (spliceObject(bytes, edits, { at, after: 'role' }) ?? bytes);
}
