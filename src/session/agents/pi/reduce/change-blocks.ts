import { splitArray } from '../../../jsonl/edit/split-array.ts';
import { findValue } from '../../../jsonl/edit/splice.ts';
import type { BlockChange } from '../../../dialect/reduction.ts';

/** The places of blocks: in a message, in an extension's message, in an edit that replaces one. */
const PLACES = [['message', 'content'], ['content'], ['replacement', 'content']] as const;
const [OPENING_BRACKET, OPENING_BRACE] = [0x5b, 0x7b];

/** Changes content blocks of a line, and keeps every other byte; undefined when nothing changes. */
export function changeBlocks(bytes: Buffer, change: BlockChange): Buffer | undefined {
  const parts: Buffer[] = [];
  let done = 0;
  for (const array of findArrays(bytes)) {
    const base = array.byteOffset - bytes.byteOffset;
    for (const { offset, length } of splitArray(array)) {
      const block = array.subarray(offset, offset + length);
      const changed = block[0] === OPENING_BRACE ? change(block) : undefined;
      if (!changed) continue;
      parts.push(bytes.subarray(done, base + offset), changed);
      done = base + offset + length;
    }
  }
  return done === 0 ? undefined : Buffer.concat([...parts, bytes.subarray(done)]);
}

/** Finds them in the order that they have in the line. */
function findArrays(bytes: Buffer): readonly Buffer[] {
  return PLACES.flatMap((place) => {
    const value = findValue(bytes, place);
    return value?.[0] === OPENING_BRACKET ? [value] : [];
  }).toSorted((a, b) => a.byteOffset - b.byteOffset);
}
