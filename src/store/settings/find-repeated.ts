import { readMembers } from '../../session/jsonl/edit/members.ts';
import { splitArray } from '../../session/jsonl/edit/split-array.ts';

/** A member that an object has twice. */
export interface Repeated {
  readonly key: string;
  /** Its lines, from 1. */
  readonly lines: readonly [first: number, second: number];
}

const [BRACE, BRACKET] = [0x7b, 0x5b];
/** No settings are nested deeper. */
const MAX_DEPTH = 50;

/** Finds a member that an object of a JSON text has twice, or one of the objects in it. */
export function findRepeated(text: string): Repeated | undefined {
  const bytes = Buffer.from(text);
  const start = bytes.indexOf(BRACE);
  return start === -1 ? undefined : findIn(bytes, start, 0);
}

function findIn(bytes: Buffer, start: number, depth: number): Repeated | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const seen = new Map<string, number>();
  for (const { key, valueStart, valueEnd } of readMembers(bytes, start)) {
    const first = seen.get(key);
    if (first !== undefined) {
      return { key, lines: [toLine(bytes, first), toLine(bytes, valueStart)] };
    }
    seen.set(key, valueStart);
    for (const at of listObjects(bytes, valueStart, valueEnd)) {
      const found = findIn(bytes, at, depth + 1);
      if (found) return found;
    }
  }
  return undefined;
}

/** Lists where objects begin: the value itself, or the elements of a list. */
function listObjects(bytes: Buffer, start: number, end: number): readonly number[] {
  if (bytes[start] === BRACE) return [start];
  if (bytes[start] !== BRACKET) return [];
  const elements = Array.from(
    splitArray(bytes.subarray(start, end)),
    ({ offset }) => start + offset,
  );
  return elements.filter((at) => bytes[at] === BRACE);
}

function toLine(bytes: Buffer, at: number): number {
  return bytes.subarray(0, at).toString('latin1').split('\n').length;
}
