import { isObject, type JsonObject, type JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import { isPlaceholder } from './images.ts';

const NOTE = /\n\n\[\.\.\. (\d+) bytes of output cut by coppice \.\.\.\]\n\n/g;
/** A character of four bytes that no longer fits, and a note with fewer digits than it might have. */
const WASTE = 6;

/**
 * Whether a text was cut to so many bytes as docs/compact.md has it: the beginning and the end stay,
 * the note between them tells how much does not, and no more is gone than must be.
 */
function isCut(before: string, after: string, limit: number): boolean {
  const whole = Buffer.byteLength(before);
  const size = Buffer.byteLength(after);
  if (size > limit || size < limit - WASTE) return false;
  return [...after.matchAll(NOTE)].some(({ 0: note, 1: count, index }) => {
    const [head, tail] = [after.slice(0, index), after.slice(index + note.length)];
    const left = Buffer.byteLength(head) + Buffer.byteLength(tail);
    const isHere = before.startsWith(head) && before.endsWith(tail);
    return isHere && head !== '' && tail !== '' && left + Number(count) === whole;
  });
}

/**
 * The message as it should be: where an output had to be cut and was cut well, with that cut, and
 * else as before. What a person has put in the place of an output is not an output: `mayBeEdited`.
 */
export function expectCuts(
  before: JsonObject,
  after: JsonObject,
  { limit, mayBeEdited }: { limit: number; mayBeEdited: boolean },
): JsonObject {
  const key = before['role'] === 'bashExecution' ? 'output' : 'content';
  if (before['role'] !== 'bashExecution' && before['role'] !== 'toolResult') return before;
  return { ...before, [key]: expectCut(before[key], after[key]) };

  function expectCut(was: JsonValue | undefined, is: JsonValue | undefined): JsonValue | undefined {
    if (Array.isArray(was))
      return was.map((block, at) => expectBlock(block, isList(is) ? is[at] : null));
    if (typeof was !== 'string' || typeof is !== 'string') return was;
    if (Buffer.byteLength(was) <= limit || isPlaceholder(was)) return was;
    if (mayBeEdited && is === was) return was;
    return isCut(was, is, limit) ? is : `a cut of ${was}`;
  }

  function expectBlock(was: JsonValue, is: JsonValue | undefined): JsonValue {
    if (!isObject(was) || was['type'] !== 'text' || !isObject(is)) return was;
    return { ...was, text: expectCut(was['text'], is['text']) };
  }
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
