import {
  findPlainStringEnd,
  findPlainStringStart,
  matchesAt,
  NOWHERE,
  readDigits,
  readHex,
} from '../jsonl/match-bytes.ts';

/** What a canonical line holds: a message of a role, or an extension's entry. */
export type CanonicalKind = 'user' | 'assistant' | 'toolResult' | 'custom';

const [QUOTE, COLON, BRACE_OPEN, BRACE_CLOSE] = [0x22, 0x3a, 0x7b, 0x7d];

const MESSAGE_HEAD = Buffer.from('{"type":"message","id":"');
const CUSTOM_HEAD = Buffer.from('{"type":"custom","customType":"');
const CUSTOM_TYPE = Buffer.from('"customType":');
const ID = Buffer.from(',"id":"');
const PARENT = Buffer.from('","parentId":');
const NULL = Buffer.from('null');
const TIMESTAMP = Buffer.from(',"timestamp":');
const ROLES = [
  { kind: 'assistant', head: Buffer.from('","message":{"role":"assistant","content":[') },
  { kind: 'toolResult', head: Buffer.from('","message":{"role":"toolResult","toolCallId":"') },
  { kind: 'user', head: Buffer.from('","message":{"role":"user","content":') },
] as const;
const RESPONSE_ID = Buffer.from(',"responseId":"');
const API = Buffer.from('],"api":"');
const NAMES = /^\],"api":"[^"\\]*","provider":"([^"\\]*)","model":"([^"\\]*)","usage":\{$/;
const STOP_REASON = Buffer.from('},"stopReason":"');

/**
 * Where the timestamp of an entry ends and its message begins: once in the line of a message, and
 * next to never elsewhere. Shorter than eight bytes and begun by a rare one: what Node finds fastest.
 */
const SEAM = Buffer.from('Z","mes');
const ID_LENGTH = 8;
/** An ISO 8601 time in UTC, and milliseconds of this century, as digits. */
const [TIME_LENGTH, EPOCH_LENGTH] = [24, 13];
/** Longer names of API, provider and model are left to the parser. */
const MAX_NAMES = 1024;

/**
 * Reads the lines that pi writes from v2 on, as far as a listing needs them, by their first and
 * last bytes. Of what is between, it looks only for NULs and for the beginning of a second line.
 *
 * So a line that was torn, glued to another or has a hole is left to be parsed, like every line
 * that pi would write in another way. Not seen is a control character or a broken escape inside of
 * a string, which makes a line malformed that is whole at both ends.
 */
export class CanonicalLine {
  kind: CanonicalKind = 'custom';
  /** Eight lower-case hexadecimal digits as a number; for no parent, `NOWHERE`. */
  id = NOWHERE;
  parentId = NOWHERE;
  /** What a user's or an assistant's message says of its time, in milliseconds. */
  time = 0;
  /** As `provider/model`, where it is an answer. */
  model = '';

  #chunk: Buffer | undefined;
  #hasNul = false;
  /** The first seam of the chunk from the last line on. */
  #seam = 0;
  /** The bytes that name the model of the last answer. */
  #names = API;

  /** False for a line that has to be parsed; the fields say nothing then. */
  read(chunk: Buffer, start: number, end: number): boolean {
    if (chunk !== this.#chunk) this.#enter(chunk);
    if (this.#hasNul || chunk[end - 1] !== BRACE_CLOSE) return false;
    if (matchesAt(chunk, start, MESSAGE_HEAD)) return this.#readMessage(chunk, start, end);
    return matchesAt(chunk, start, CUSTOM_HEAD) && this.#readCustom(chunk, start, end);
  }

  #enter(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#hasNul = chunk.includes(0);
    this.#seam = findSeam(chunk, 0);
  }

  #readMessage(chunk: Buffer, start: number, end: number): boolean {
    const placeEnd = this.#readPlace(chunk, start + MESSAGE_HEAD.length);
    const timeEnd = placeEnd === NOWHERE ? NOWHERE : findTimeEnd(chunk, placeEnd);
    if (timeEnd === NOWHERE || !this.#isOneLine(chunk, start, timeEnd - 1, end)) return false;
    const contentStart = this.#readRole(chunk, timeEnd);
    if (contentStart === NOWHERE || chunk[end - 2] !== BRACE_CLOSE) return false;
    const epochStart = this.#readEpoch(chunk, contentStart, end - 2);
    if (epochStart === NOWHERE) return false;
    return this.kind !== 'assistant' || this.#readModel(chunk, contentStart, epochStart);
  }

  /** The place behind what tells the role, at which an answer's first block begins. */
  #readRole(chunk: Buffer, at: number): number {
    for (const { kind, head } of ROLES) {
      if (!matchesAt(chunk, at, head)) continue;
      this.kind = kind;
      return at + head.length;
    }
    return NOWHERE;
  }

  #readCustom(chunk: Buffer, start: number, end: number): boolean {
    const timeStart = end - 2 - TIME_LENGTH - TIMESTAMP.length - 1;
    // The parent's id with its quotes, or null; which of them, its last byte tells.
    const parentStart = timeStart - (chunk[timeStart - 1] === QUOTE ? ID_LENGTH + 2 : NULL.length);
    const idStart = parentStart - PARENT.length - ID_LENGTH;
    if (idStart - ID.length < start + CUSTOM_HEAD.length) return false;
    if (!matchesAt(chunk, idStart - ID.length, ID)) return false;
    if (this.#readPlace(chunk, idStart) !== timeStart) return false;
    if (findTimeEnd(chunk, timeStart) !== end - 2) return false;
    this.kind = 'custom';
    // Its beginning once more within it: two were glued.
    const inner = chunk.subarray(start + CUSTOM_HEAD.length, end);
    return !inner.includes(CUSTOM_TYPE);
  }

  /** Reads id and parent; the place behind them. */
  #readPlace(chunk: Buffer, at: number): number {
    this.id = readHex(chunk, at);
    const parentAt = at + ID_LENGTH + PARENT.length;
    if (this.id === NOWHERE || !matchesAt(chunk, at + ID_LENGTH, PARENT)) return NOWHERE;
    this.parentId = NOWHERE;
    if (matchesAt(chunk, parentAt, NULL)) return parentAt + NULL.length;
    const parentEnd = parentAt + 1 + ID_LENGTH;
    if (chunk[parentAt] !== QUOTE || chunk[parentEnd] !== QUOTE) return NOWHERE;
    this.parentId = readHex(chunk, parentAt + 1);
    return this.parentId === NOWHERE ? NOWHERE : parentEnd + 1;
  }

  /** Whether the seam at its place is the only one before the line ends. */
  #isOneLine(chunk: Buffer, start: number, seam: number, end: number): boolean {
    if (this.#seam < start) this.#seam = findSeam(chunk, start);
    if (this.#seam !== seam) return false;
    this.#seam = findSeam(chunk, seam + SEAM.length);
    return this.#seam >= end;
  }

  /** Reads the time of a message, behind which only a response id may follow; where it begins. */
  #readEpoch(chunk: Buffer, start: number, end: number): number {
    const timeEnd = chunk[end - 1] === QUOTE ? findResponseId(chunk, start, end) : end;
    const member = timeEnd - EPOCH_LENGTH - TIMESTAMP.length;
    if (member < start || !matchesAt(chunk, member, TIMESTAMP)) return NOWHERE;
    this.time = readDigits(chunk, timeEnd - EPOCH_LENGTH, timeEnd);
    return this.time === NOWHERE ? NOWHERE : member;
  }

  /** Finds provider and model of an answer, of which all that is left ends at `end`. */
  #readModel(chunk: Buffer, start: number, end: number): boolean {
    const reason = chunk[end - 1] === QUOTE ? findPlainStringStart(chunk, end - 1, start) : NOWHERE;
    const usageEnd = reason + 1 - STOP_REASON.length;
    if (reason === NOWHERE || !matchesAt(chunk, usageEnd, STOP_REASON)) return false;
    const usageStart = findUsage(chunk, usageEnd, start);
    if (usageStart === NOWHERE) return false;
    const known = usageStart - this.#names.length;
    if (known >= start && matchesAt(chunk, known, this.#names)) return true;
    return this.#readNames(chunk, Math.max(start, usageStart - MAX_NAMES), usageStart);
  }

  /** Reads API, provider and model, which end at `end`; they are the same for most answers. */
  #readNames(chunk: Buffer, start: number, end: number): boolean {
    const at = chunk.subarray(start, end).lastIndexOf(API);
    const text = at === -1 ? '' : chunk.toString('utf8', start + at, end);
    const [, provider, model] = NAMES.exec(text) ?? [];
    if (provider === undefined || model === undefined) return false;
    this.#names = Buffer.from(text);
    this.model = `${provider}/${model}`;
    return true;
  }
}

function findSeam(chunk: Buffer, from: number): number {
  const at = chunk.indexOf(SEAM, from);
  return at === -1 ? chunk.length : at;
}

/** Where the timestamp that begins at `at` ends: the place of its last quote. */
function findTimeEnd(chunk: Buffer, at: number): number {
  const start = at + TIMESTAMP.length + 1;
  if (!matchesAt(chunk, at, TIMESTAMP) || chunk[start - 1] !== QUOTE) return NOWHERE;
  const end = findPlainStringEnd(chunk, start, start + TIME_LENGTH + 1);
  return end === start + TIME_LENGTH ? end : NOWHERE;
}

/** Where the member that ends at `end` begins, if it is the response's id. */
function findResponseId(chunk: Buffer, start: number, end: number): number {
  const quote = findPlainStringStart(chunk, end - 1, start);
  const member = quote + 1 - RESPONSE_ID.length;
  return quote !== NOWHERE && matchesAt(chunk, member, RESPONSE_ID) ? member : NOWHERE;
}

/** Where the usage that ends at `end` begins: an object of numbers, and of one more such object. */
function findUsage(chunk: Buffer, end: number, limit: number): number {
  let objects = 0;
  for (let at = end; at >= limit; at -= 1) {
    const byte = chunk[at];
    if (byte === QUOTE && chunk[at - 1] === COLON) return NOWHERE;
    if (byte === BRACE_OPEN) objects += 1;
    if (objects === 2) return at + 1;
  }
  return NOWHERE;
}
