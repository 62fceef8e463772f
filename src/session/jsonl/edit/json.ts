import { findStringEnd, QUOTE, SPACE } from './scan-json.ts';

/** A JSON text without the white space between its tokens, each of which is kept byte for byte. */
export function squeezeJson(text: Buffer): Buffer {
  const squeezed = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length;) {
    const end = text[at] === QUOTE ? findStringEnd(text, at) : at + 1;
    if (!SPACE.has(text[at])) length += text.copy(squeezed, length, at, end);
    at = end;
  }
  return squeezed.subarray(0, length);
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A parsed JSON object. Its keys are the session's: never use one to index our own tables. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value of a text that may be anything, such as one that an agent keeps within a text; undefined if it is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON has no other values
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The object of a text that may be anything; undefined also for another value. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** The objects among the values of a list; none of anything that is not a list. */
export function listObjects(value: JsonValue | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : [];
}

/** The texts among the values of a list; none of anything that is not a list. */
export function listStrings(value: JsonValue | undefined): readonly string[] {
  return isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function getString(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === 'string' ? found : undefined;
}

/** Returns whether a member is a text, if there is one: what else it may say is not understood. */
export function isTextIfAny(value: Readonly<Record<string, unknown>>, key: string): boolean {
  return typeof (value[key] ?? '') === 'string';
}

/**
 * Lists a text, or those of a list. Of anything else it lists the JSON: something is there, and no one knows what it says.
 */
export function listTexts(value: JsonValue = null): readonly string[] {
  const all = isArray(value) ? value : [value];
  const said = all.filter((one) => one !== null);
  return said.map((one) => (typeof one === 'string' ? one : (writeJson(one) ?? '{}')));
}

export function getNumber(value: JsonObject, key: string): number | undefined {
  const found = value[key];
  // JSON has numbers that are larger than any of JavaScript: they are read as infinite.
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function getObject(value: JsonObject, key: string): JsonObject | undefined {
  const found = value[key];
  return isObject(found) ? found : undefined;
}

/** Several ask for the time of the same line, and reading it is not cheap. */
let lastText = '';

let lastTime = Number.NaN;

/** Milliseconds of an ISO 8601 string or a number; NaN for anything else, as `new Date` has it. */
export function toTime(value: unknown): number {
  if (typeof value === 'number') return new Date(value).getTime();
  if (typeof value !== 'string') return Number.NaN;
  if (value !== lastText) {
    lastText = value;
    lastTime = new Date(value).getTime();
  }
  return lastTime;
}

/** Milliseconds, as `toTime`; 0 for what is not a time, for formats that want a number. */
export function toTimeOrZero(value: unknown): number {
  const time = toTime(value);
  return Number.isNaN(time) ? 0 : time;
}

/** Undefined where JSON would have nothing to say: a time that is not a time. */
export function toIso(time: number): string | undefined {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15
    ? new Date(time).toISOString()
    : undefined;
}

const TOO_DEEP = '"(nested too deep to be shown)"';

/**
 * Writes JSON like `JSON.stringify`, for text that is counted or read and not kept: if that runs
 * out of stack, a word replaces the text. `JSON.parse` accepts deeper values than it can write.
 */
export function toJsonText(value: JsonValue): string {
  return writeJson(value) ?? TOO_DEEP;
}

/** Writes JSON; undefined for what is nested too deep to be written. */
export function writeJson(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
