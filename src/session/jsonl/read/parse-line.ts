import { isUtf8 } from 'node:buffer';
import { isObject, type JsonObject, type JsonValue } from '../edit/json.ts';
import type { Line } from './line-splitter.ts';

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns how many bytes a byte order mark takes at the start of these bytes: 3, or 0 without one. */
export function getBomLength(bytes: Buffer): number {
  return bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** The content of a line, before its meaning. */
export type LineContent =
  | { readonly kind: 'blank' }
  | { readonly kind: 'object'; readonly value: JsonObject }
  /** JSON, but a string, number, array, true, false or null. */
  | { readonly kind: 'scalar'; readonly value: JsonValue }
  | { readonly kind: 'malformed'; readonly reason: string }
  | { readonly kind: 'oversized' };

const BLANK: LineContent = { kind: 'blank' };
const OVERSIZED: LineContent = { kind: 'oversized' };

export function hasBom(line: Line): boolean {
  return line.number === 1 && getBomLength(line.bytes) > 0;
}

/**
 * The members of an object that were asked for, on a line that is known to be well-formed UTF-8, and to hold no
 * NUL, as a character or as an escape.
 */
export class ScannedObject {
  readonly kind = 'object';
  readonly value: JsonObject;

  constructor(value: JsonObject) {
    this.value = value;
  }
}

/** Returns whether a line was written in UTF-8. */
export function isWellFormed(line: Line, content: LineContent): boolean {
  return content instanceof ScannedObject || isUtf8(line.bytes);
}

/** Returns whether a text on a line may hold a NUL: false is certain. */
export function mayHoldNul(line: Line, content: LineContent): boolean {
  return !(content instanceof ScannedObject) && line.bytes.includes('\\u0000');
}

/**
 * Parses one line. Invalid UTF-8 is read as U+FFFD, a BOM at the start of the file is skipped,
 * and a line of white space only is blank: all as the agents' own readers have it, but for the BOM.
 */
export function parseLine(line: Line): LineContent {
  if (line.oversized) return OVERSIZED;
  // A throw of `JSON.parse` takes as long as parsing a long line.
  if (line.length === 0) return BLANK;
  const text = line.bytes.toString('utf8', line.number === 1 ? getBomLength(line.bytes) : 0);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed JSON enters here
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? { kind: 'object', value } : { kind: 'scalar', value };
  } catch (error) {
    if (text.trim() === '') return BLANK;
    return { kind: 'malformed', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Keeps the first line that is a JSON object. */
export class FirstObject {
  #value: JsonObject | undefined;

  get value(): JsonObject | undefined {
    return this.#value;
  }

  visit(line: Line): void {
    const content = this.#value ? undefined : parseLine(line);
    if (content?.kind === 'object') this.#value = content.value;
  }
}
