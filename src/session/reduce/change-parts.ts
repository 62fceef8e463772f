import { splitArray } from '../jsonl/edit/split-array.ts';
import { findValues } from '../jsonl/edit/splice.ts';

const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b];

/** Makes the replacement of one object in an array; undefined to keep it. */
export type PartChange = (part: Buffer) => Buffer | undefined;

/** Changes the objects of the arrays that a line holds at some places, and keeps every other byte. */
export function changeParts(
  bytes: Buffer,
  places: readonly (readonly string[])[],
  change: PartChange,
): Buffer | undefined {
  const parts: Buffer[] = [];
  let done = 0;
  for (const array of findArrays(bytes, places)) {
    const base = array.byteOffset - bytes.byteOffset;
    for (const { offset, length } of splitArray(array)) {
      const part = array.subarray(offset, offset + length);
      const changed = part[0] === OPENING_BRACE ? change(part) : undefined;
      if (!changed) continue;
      parts.push(bytes.subarray(done, base + offset), changed);
      done = base + offset + length;
    }
  }
  return done === 0 ? undefined : Buffer.concat([...parts, bytes.subarray(done)]);
}

/** Finds them in the order that they have in the line. */
function findArrays(bytes: Buffer, places: readonly (readonly string[])[]): readonly Buffer[] {
  const arrays = findValues(bytes, places).filter(([first]) => first === OPENING_BRACKET);
  return arrays.toSorted((a, b) => a.byteOffset - b.byteOffset);
}
