import { isArray, isObject, type JsonObject, type JsonValue } from '../../../../jsonl/edit/json.ts';
import type { Line } from '../../../../jsonl/read/line-splitter.ts';
import { parseLine } from '../../../../jsonl/read/parse-line.ts';
import { ReducedLine } from '../../../../jsonl/scanner/reduced-lines.ts';

/** Returns whether a text of a value has half of a surrogate pair: for Codex, that is not JSON. */
export function hasHalfPair(value: JsonObject): boolean {
  const pending: JsonValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      if (!next.isWellFormed()) return true;
    } else if (isArray(next)) {
      for (const one of next) pending.push(one);
    } else if (isObject(next)) {
      for (const [key, one] of Object.entries(next)) pending.push(key, one ?? null);
    }
  }
  return false;
}

/** Returns the same of a whole line: in JSON such a half can only be escaped. */
export function writesHalfPair(line: Line): boolean {
  if (!mayHaveSurrogates(line)) return false;
  const whole = parseLine(line);
  return whole.kind === 'object' && hasHalfPair(whole.value);
}

/** The scanner has seen the escapes of a line that it took: another search of all bytes takes as long. */
function mayHaveSurrogates(line: Line): boolean {
  if (line instanceof ReducedLine) return line.hasSurrogates;
  return line.bytes.includes('\\ud') || line.bytes.includes('\\uD');
}
