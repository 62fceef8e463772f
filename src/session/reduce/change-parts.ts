import { splitArray } from '../jsonl/edit/split-array.ts';
import { findValue } from '../jsonl/edit/splice.ts';

const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b];

/** Makes the replacement of one object in an array; undefined to keep it. */
export type PartChange = (part: Buffer) => Buffer | undefined;

/** Changes the objects of an array that a line holds, and keeps every other byte. */
export function changeParts(
  bytes: Buffer,
  place: readonly string[],
  change: PartChange,
): Buffer | undefined {
  const array = findValue(bytes, place);
  if (array?.[0] !== OPENING_BRACKET) return undefined;
  const base = array.byteOffset - bytes.byteOffset;
  const parts: Buffer[] = [];
  let done = 0;
  for (const { offset, length } of splitArray(array)) {
    const part = array.subarray(offset, offset + length);
    const changed = part[0] === OPENING_BRACE ? change(part) : undefined;
    if (!changed) continue;
    parts.push(bytes.subarray(done, base + offset), changed);
    done = base + offset + length;
  }
  return done === 0 ? undefined : Buffer.concat([...parts, bytes.subarray(done)]);
}
