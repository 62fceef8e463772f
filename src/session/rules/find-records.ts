import { type JsonObject, parseJsonObject } from '../jsonl/edit/json.ts';
import type { Line } from '../jsonl/read/line-splitter.ts';
import { getBomLength, hasBom } from '../jsonl/read/parse-line.ts';
import {
  findStringEnd,
  isEscaped,
  QUOTE,
  skipSpace,
  SPACE,
  trimEnd,
} from '../jsonl/edit/scan-json.ts';

/** A stretch of bytes: one whole record with the white space after it, or what is none. */
export interface Part {
  readonly kind: 'record' | 'junk';
  readonly start: number;
  readonly end: number;
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
/**
 * The most parts: a line with more is not a handful of glued records, and its parts are not worth the memory.
 */
export const MAX_PARTS = 10_000;
/** The bytes after which, outside strings, an object may belong to the record around it. */
const BEFORE_A_VALUE: ReadonlySet<number | undefined> = new Set([0x3a, 0x2c, 0x5b]);

/**
 * Cuts a range of bytes into the whole JSON objects at its beginning, the whole records at its end,
 * and the rest. Linear in the length, for any bytes. The end is read from right to left, because
 * from the left a torn record hides what is inside a string. An object found there must look like a
 * record of its own: the inner objects of a torn record do not. If the range itself is `cut` off,
 * an object in the place of a value of the torn record before it is taken for that value.
 */
export function findRecords(
  whole: Buffer,
  start: number,
  end: number,
  cut: boolean,
): readonly Part[] {
  const bytes = whole.subarray(0, end);
  const parts = findLeadingObjects(bytes, start);
  const rest = parts.at(-1)?.end ?? start;
  let trailing = findTrailingRecords(bytes, rest, end);
  if (cut && trailing[0] && isValuePosition(bytes, rest, trailing[0].start)) trailing = [];
  const junkEnd = trailing[0]?.start ?? end;
  if (junkEnd > rest) parts.push({ kind: 'junk', start: rest, end: junkEnd });
  parts.push(...trailing);
  return parts;
}

/**
 * The object that a line begins with, and its length in bytes with all before it, where something else follows it that
 * is not white space.
 */
export function findFirstObject(
  line: Line,
): { readonly value: JsonObject; readonly length: number } | undefined {
  const { bytes } = line;
  const open = skipSpace(bytes, hasBom(line) ? getBomLength(bytes) : 0);
  const length = bytes[open] === OPEN_BRACE ? findObjectEnd(bytes, open) : -1;
  const value = length === -1 ? undefined : parseJsonObject(bytes.toString('utf8', open, length));
  return value && { value, length };
}

export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  return skipSpace(bytes, start, end) === end;
}

/** Returns whether the torn record that begins at `start` has a value to come at `at`. */
function isValuePosition(bytes: Buffer, start: number, at: number): boolean {
  let last: number | undefined;
  for (let index = start; index < at; index += 1) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      index = findStringEnd(bytes, index) - 1;
      if (index >= at) return false;
    }
    if (!SPACE.has(byte)) last = byte;
  }
  return BEFORE_A_VALUE.has(last);
}

function findLeadingObjects(bytes: Buffer, start: number): Part[] {
  const parts: Part[] = [];
  for (let at = start; parts.length <= MAX_PARTS;) {
    const open = skipSpace(bytes, at);
    const close = bytes[open] === OPEN_BRACE ? findObjectEnd(bytes, open) : -1;
    if (close === -1 || parseJsonObject(bytes.toString('utf8', open, close)) === undefined) break;
    const next = skipSpace(bytes, close);
    parts.push({ kind: 'record', start: at, end: next });
    at = next;
  }
  return parts;
}

function findTrailingRecords(bytes: Buffer, start: number, end: number): Part[] {
  const found: Part[] = [];
  for (let at = end; found.length <= MAX_PARTS;) {
    const close = trimEnd(bytes, start, at);
    const open = bytes[close - 1] === CLOSE_BRACE ? findObjectStart(bytes, start, close) : -1;
    const record = open === -1 ? undefined : parseJsonObject(bytes.toString('utf8', open, close));
    if (!record || !('timestamp' in record) || typeof record['type'] !== 'string') break;
    found.push({ kind: 'record', start: open, end: at });
    at = open;
  }
  return found.toReversed();
}

/** One past the bracket that closes the object which starts at `start`; -1 if none does. */
function findObjectEnd(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = findStringEnd(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1;
  }
  return -1;
}

/** The bracket that opens the object which ends before `end`; -1 if none does. */
function findObjectStart(bytes: Buffer, start: number, end: number): number {
  let depth = 0;
  let inString = false;
  for (let at = end - 1; at >= start; at -= 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      if (!isEscaped(bytes, start, at)) inString = !inString;
    } else if (!inString) {
      if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth += 1;
      else if (byte === OPEN_BRACE && --depth === 0) return at;
      else if (byte === OPEN_BRACKET && --depth === 0) return -1;
    }
  }
  return -1;
}
