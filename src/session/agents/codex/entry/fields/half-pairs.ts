import { isArray, isObject, type JsonObject, type JsonValue } from '../../../../jsonl/edit/json.ts';
import type { Line } from '../../../../jsonl/read/line-splitter.ts';
import { parseLine } from '../../../../jsonl/read/parse-line.ts';

/** Returns whether a text of a value has half of a surrogate pair: for Codex, that is not JSON. */
export function hasHalfPair(value: JsonObject): boolean {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      if (HALF.test(next)) return true;
    } else if (isArray(next)) {
      for (const one of next) pending.push(one);
    } else if (isObject(next)) {
      for (const [key, one] of Object.entries(next)) pending.push(key, one ?? null);
    }
  }
  return false;
}

const HALF = /\p{Cs}/u;

/** Returns the same of a whole line: in JSON such a half can only be escaped. */
export function writesHalfPair(line: Line): boolean {
  if (!line.bytes.includes('\\ud') && !line.bytes.includes('\\uD')) return false;
  const whole = parseLine(line);
  return whole.kind === 'object' && hasHalfPair(whole.value);
}
