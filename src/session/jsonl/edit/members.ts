import { CLOSING, COMMA, findStringEnd, OPENING, QUOTE, skipSpace, SPACE } from './scan-json.ts';

/** A member of a JSON object, as places in its bytes. Ends are exclusive. */
export interface Member {
  readonly key: string;
  /** White space before the key and behind the value belongs to the member. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly end: number;
}

/** The members of the object that begins at `start`, in order; the bytes must be valid JSON. */
export function readMembers(bytes: Buffer, start: number): Member[] {
  const members: Member[] = [];
  for (let from = start + 1; ;) {
    const keyStart = skipSpace(bytes, from);
    if (bytes[keyStart] !== QUOTE) return members;
    const keyEnd = findStringEnd(bytes, keyStart);
    // The key is followed by white space, a colon, and white space.
    const valueStart = skipSpace(bytes, skipSpace(bytes, keyEnd) + 1);
    const valueEnd = findValueEnd(bytes, valueStart);
    const end = skipSpace(bytes, valueEnd);
    const key = parseKey(bytes.subarray(keyStart, keyEnd));
    members.push({ key, start: from, valueStart, valueEnd, end });
    if (bytes[end] !== COMMA) return members;
    from = end + 1;
  }
}

/**
 * The text of a member of the object that a line begins with; a member of a value in it does not count.
 * The line may be cut, or no JSON: a text that is not whole, or is written with escapes, is not found.
 */
export function findOwnText(line: Buffer, key: string): string | undefined {
  const value = findOwnValue(line, key) ?? '';
  return value.startsWith('"') && !value.includes('\\') ? value.slice(1, -1) : undefined;
}

/** The value of such a member as it is written; undefined where it is not whole. */
export function findOwnValue(line: Buffer, key: string): string | undefined {
  for (let at = skipSpace(line, skipSpace(line, 0) + 1); line[at] === QUOTE;) {
    const keyEnd = findStringEnd(line, at);
    const valueStart = skipSpace(line, skipSpace(line, keyEnd) + 1);
    const valueEnd = findValueEnd(line, valueStart);
    if (valueEnd >= line.length) return undefined;
    if (line.toString('utf8', at + 1, keyEnd - 1) === key) {
      return line.toString('utf8', valueStart, valueEnd);
    }
    at = skipSpace(line, skipSpace(line, valueEnd) + 1);
  }
  return undefined;
}

/** Finds the closing bracket of the object or array that begins at `start`. */
export function findClosing(bytes: Buffer, start: number): number {
  return findValueEnd(bytes, start) - 1;
}

function findValueEnd(bytes: Buffer, start: number): number {
  if (bytes[start] === QUOTE) return findStringEnd(bytes, start);
  if (!OPENING.has(bytes[start])) return findScalarEnd(bytes, start);
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findStringEnd(bytes, at) - 1;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return bytes.length;
}

function findScalarEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (
    at < bytes.length &&
    bytes[at] !== COMMA &&
    !SPACE.has(bytes[at]) &&
    !CLOSING.has(bytes[at])
  ) {
    at += 1;
  }
  return at;
}

/** A key may be written with escapes: `"\u0069d"` is `id`. */
function parseKey(quoted: Buffer): string {
  const key: unknown = JSON.parse(quoted.toString('utf8'));
  return String(key);
}
