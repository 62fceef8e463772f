import {
  areSame,
  BACKSLASH,
  BRACE_CLOSE,
  BRACE_OPEN,
  COLON,
  COMMA,
  contains,
  copyFew,
  findPlainStringStart,
  LF,
  matches,
  NOWHERE,
  QUOTE,
  readDigits,
  readHex,
} from '../../../../jsonl/scanner/assembly/bytes';
import { stopAt } from '../../../../jsonl/scanner/assembly/ending';
import { passValue } from '../../../../jsonl/scanner/assembly/values';
import { DONE, LEFT, RESULT, RESULT_END, TAKEN, UNNAMED } from '../../../../jsonl/scanner/layout';
import { findLineEnd, SEAM, seam } from './line-end';
import { beginLine, endsOutside, isSound } from './soundness';
import { KEEP_ANSWERS, KEEP_NOTHING } from '../layout';
import { MAX_NAMES, NAMES, RECORDS } from './memory';
import { readTime } from './times';
import { writeUsage } from './usage';

/** The kinds of lines: a message of a role, or an entry of which only the place counts. */
const OTHER: i32 = 0;
const USER: i32 = 1;
const ASSISTANT: i32 = 2;
const TOOL_RESULT: i32 = 3;
/** No message, but what an extension has said to the model. */
const NOTE: i32 = 4;

const MESSAGE_HEAD: string = '{"type":"message","id":"';
const CUSTOM_HEAD: string = '{"type":"custom","customType":"';
const NOTE_HEAD: string = '{"type":"custom_message","customType":"';
const MODEL_HEAD: string = '{"type":"model_change","id":"';
const LEVEL_HEAD: string = '{"type":"thinking_level_change","id":"';
const CUSTOM_TYPE: string = '"customType":';
const MESSAGE: string = ',"message":{"usage":';
/** A key of a message; for what follows it there is more than one way. */
const USAGE: string = '"usage"';
const ID: string = ',"id":"';
const PARENT: string = '","parentId":';
const TIMESTAMP: string = ',"timestamp":';
/** The most lines that are taken at once: each has two marks at most. */
const MAX_LINES: i32 = 2048;
/** The size of the marks of a record, after its id. */
const MARK_BYTES: usize = 8;
const IS_THERE: u32 = 1;
const IS_PARENT: u32 = 2;
const ID_LENGTH: usize = 8;
/** An ISO 8601 time in UTC, and milliseconds of this century, as digits. */
const TIME_LENGTH: usize = 24;
const EPOCH_LENGTH: usize = 13;
/** 2020 in milliseconds, the EARLIEST of `isLikelyTime`: lines with an unlikely time are parsed. */
const EARLIEST_TIME: i64 = 1577836800000;
const NULL_LENGTH: usize = 4;
/** Usage that is longer is left to the parser. */
const MAX_USAGE: usize = 1024;

/** The bytes that may name the model of the first line that was not taken. */
export let namesStart: usize = 0;
export let namesEnd: usize = 0;

let namesLength: usize = 0;

// The facts that were read of a line.
let kind: i32 = OTHER;
let id: u32 = 0;
let parentId: u32 = 0;
let hasParent: bool = false;
/** The time of a user's or an assistant's message, in milliseconds. */
let time: i64 = 0;
/** The time of an entry, in milliseconds. */
let written: f64 = 0;
/** The end of what stands before the message, and where the usage of an answer begins. */
let headEnd: usize = 0;
let usageAt: usize = 0;
/** The part of answers that is kept. */
let keeps: i32 = KEEP_NOTHING;

/** Takes the length of the names that the caller has put into their place. */
export function setNames(length: usize): void {
  namesLength = length;
}

// The counts over the lines that were taken at once.
export let messages: i32 = 0;
export let userMessages: i32 = 0;
export let notes: i32 = 0;
export let answers: i32 = 0;
/** The latest that a message of a user or an assistant says of its time, in milliseconds. */
export let lastTime: f64 = 0;
/** The latest time of an entry of any kind, in milliseconds. */
export let lastWritten: f64 = 0;
/** The address of the next mark. */
export let marksEnd: usize = RECORDS;
/** The end of what is kept of answers, each behind a comma. */
export let answersEnd: usize = RESULT;

/**
 * Takes whole lines from `from` on, up to the first that has to be parsed; the first message of a
 * user, too, if that is asked for. Of a line without its middle, all has been checked. Returns how many.
 * Where it keeps something of answers, it does not take other messages with usage.
 */
export function skim(from: usize, end: usize, parsesUser: bool, isChecked: bool, kept: i32): i32 {
  let count: i32 = 0;
  keeps = kept;
  answersEnd = RESULT;
  let position = from;
  let reason = DONE;
  messages = userMessages = notes = answers = 0;
  lastTime = lastWritten = 0;
  marksEnd = RECORDS;
  while (count < MAX_LINES) {
    const lineEnd = findLineEnd(position, end);
    if (lineEnd === NOWHERE) break;
    reason = readLine(position, lineEnd);
    if (reason === TAKEN && parsesUser && kind === USER) reason = LEFT;
    if (reason === TAKEN && !isChecked && !isSoundLine(position, lineEnd)) reason = LEFT;
    if (reason === TAKEN && keeps !== KEEP_NOTHING && kind === ASSISTANT) {
      if (!keepAnswer(position, lineEnd)) reason = LEFT;
    }
    if (reason !== TAKEN) break;
    countLine();
    count += 1;
    position = lineEnd + 1;
  }
  stopAt(position, reason);
  return count;
}

/** Returns whether nothing is wrong within the strings of a line, nor with where they begin and end. */
function isSoundLine(start: usize, end: usize): bool {
  beginLine();
  return isSound(start, end) && endsOutside();
}

function countLine(): void {
  if (hasParent) markParent();
  mark(id, IS_THERE);
  lastWritten = max(lastWritten, written);
  if (kind === OTHER) return;
  if (kind === NOTE) {
    notes += 1;
    return;
  }
  messages += 1;
  if (kind === TOOL_RESULT) return;
  if (kind === USER) userMessages += 1;
  else answers += 1;
  lastTime = max(lastTime, time as f64);
}

/** Keeps what is asked for of an answer; false where there is no room, or the line has to be parsed. */
function keepAnswer(start: usize, end: usize): bool {
  if (answersEnd + (headEnd - start) + (end - usageAt) + MAX_USAGE > (RESULT_END as usize))
    return false;
  if (keeps === KEEP_ANSWERS) keepLine(start, end);
  else {
    const usageEnd = writeUsage(answersEnd, written, usageAt);
    if (usageEnd === NOWHERE) return false;
    answersEnd = usageEnd;
  }
  return true;
}

/** Keeps a line without its content and model. */
function keepLine(start: usize, end: usize): void {
  store<u8>(answersEnd, COMMA);
  copyTo(answersEnd + 1, start, headEnd);
  for (let index = 0; index < MESSAGE.length; index += 1) {
    store<u8>(answersEnd + index, MESSAGE.charCodeAt(index) as u8);
  }
  copyTo(answersEnd + (MESSAGE.length as usize), usageAt, end);
}

function copyTo(place: usize, start: usize, end: usize): void {
  copyFew(place, start, end - start);
  answersEnd = place + end - start;
}

/** Most entries are attached to the one before them, which has the last mark. */
function markParent(): void {
  const last = marksEnd - MARK_BYTES;
  const hangsOnLast = last >= RECORDS && load<u32>(last) === parentId;
  if (hangsOnLast) store<u32>(last, IS_THERE | IS_PARENT, 4);
  else mark(parentId, IS_PARENT);
}

function mark(entryId: u32, marks: u32): void {
  store<u32>(marksEnd, entryId);
  store<u32>(marksEnd, marks, 4);
  marksEnd += MARK_BYTES;
}

function readLine(start: usize, end: usize): i32 {
  if (load<u8>(end - 1) !== BRACE_CLOSE) return LEFT;
  if (matches(start, MESSAGE_HEAD)) return readMessage(start, end);
  if (matches(start, CUSTOM_HEAD)) {
    return readCustom(start + (CUSTOM_HEAD.length as usize), end, OTHER);
  }
  if (matches(start, NOTE_HEAD)) return readCustom(start + (NOTE_HEAD.length as usize), end, NOTE);
  return readChange(start, end);
}

function readMessage(start: usize, end: usize): i32 {
  const placeEnd = readPlace(start + (MESSAGE_HEAD.length as usize));
  if (placeEnd === NOWHERE) return LEFT;
  const timeEnd = readTimestamp(placeEnd);
  if (timeEnd === NOWHERE || seam !== timeEnd - 1) return LEFT;
  const contentStart = readRole(timeEnd);
  if (contentStart === NOWHERE || load<u8>(end - 2) !== BRACE_CLOSE) return LEFT;
  const epochStart = readEpoch(contentStart, end - 2);
  if (epochStart === NOWHERE) return LEFT;
  headEnd = timeEnd + 1;
  if (kind === ASSISTANT) return readModel(contentStart, epochStart);
  const mayUse = keeps !== KEEP_NOTHING && contains(contentStart, epochStart, USAGE);
  return mayUse ? LEFT : TAKEN;
}

/** The place after the role, at which an answer's first block begins. */
function readRole(at: usize): usize {
  if (matches(at, '","message":{"role":"assistant","content":[')) {
    kind = ASSISTANT;
    return at + 43;
  }
  if (matches(at, '","message":{"role":"toolResult","toolCallId":"')) {
    kind = TOOL_RESULT;
    return at + 47;
  }
  kind = USER;
  return matches(at, '","message":{"role":"user","content":') ? at + 37 : NOWHERE;
}

/** Reads an entry of an extension; `bodyStart` is behind the part that shows which kind it is. */
function readCustom(bodyStart: usize, end: usize, ownKind: i32): i32 {
  const timeStart = end - 2 - TIME_LENGTH - (TIMESTAMP.length as usize) - 1;
  // The parent's id with its quotes, or null; its last byte shows which.
  const hasQuotes = load<u8>(timeStart - 1) === QUOTE;
  const parentStart = timeStart - (hasQuotes ? ID_LENGTH + 2 : NULL_LENGTH);
  const idStart = parentStart - (PARENT.length as usize) - ID_LENGTH;
  if (idStart - (ID.length as usize) < bodyStart) return LEFT;
  if (!matches(idStart - (ID.length as usize), ID)) return LEFT;
  if (readPlace(idStart) !== timeStart || readTimestamp(timeStart) !== end - 2) return LEFT;
  kind = ownKind;
  // A line with its beginning once more within it is two that were glued.
  return contains(bodyStart, end, CUSTOM_TYPE) ? LEFT : TAKEN;
}

/** Another model or thinking level: a place, and plain strings. */
function readChange(start: usize, end: usize): i32 {
  const isModel = matches(start, MODEL_HEAD);
  if (!isModel && !matches(start, LEVEL_HEAD)) return LEFT;
  const head = isModel ? MODEL_HEAD : LEVEL_HEAD;
  const placeEnd = readPlace(start + (head.length as usize));
  let at = placeEnd === NOWHERE ? NOWHERE : readTimestamp(placeEnd);
  if (isModel) at = passPlainMember(passPlainMember(at, '","provider":"'), '","modelId":"');
  else at = passPlainMember(at, '","thinkingLevel":"');
  kind = OTHER;
  return at === end - 2 ? TAKEN : LEFT;
}

/** Skips a member that is a string without escapes, from quote to quote. */
function passPlainMember(at: usize, opening: string): usize {
  if (at === NOWHERE || !matches(at, opening)) return NOWHERE;
  at += opening.length as usize;
  while (true) {
    const byte = load<u8>(at);
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH || byte === LF) return NOWHERE;
    at += 1;
  }
}

/** Reads id and parent; the place behind them. */
function readPlace(at: usize): usize {
  const own = readHex(at);
  if (own < 0 || !matches(at + ID_LENGTH, PARENT)) return NOWHERE;
  id = own as u32;
  const parentAt = at + ID_LENGTH + (PARENT.length as usize);
  hasParent = !matches(parentAt, 'null');
  if (!hasParent) return parentAt + NULL_LENGTH;
  const parentEnd = parentAt + 1 + ID_LENGTH;
  if (load<u8>(parentAt) !== QUOTE || load<u8>(parentEnd) !== QUOTE) return NOWHERE;
  const parent = readHex(parentAt + 1);
  parentId = parent as u32;
  return parent < 0 ? NOWHERE : parentEnd + 1;
}

/** Reads the timestamp that begins at `at`; the place of its last quote. */
function readTimestamp(at: usize): usize {
  const start = at + (TIMESTAMP.length as usize) + 1;
  if (!matches(at, TIMESTAMP) || load<u8>(start - 1) !== QUOTE) return NOWHERE;
  const isPlain = (findQuotes(start) | findQuotes(start + TIME_LENGTH - 16)) === 0;
  if (!isPlain || load<u8>(start + TIME_LENGTH) !== QUOTE) return NOWHERE;
  written = readTime(start, TIME_LENGTH);
  return written >= (EARLIEST_TIME as f64) ? start + TIME_LENGTH : NOWHERE;
}

/** Finds quotes and backslashes among sixteen bytes, a bit each. */
function findQuotes(at: usize): i32 {
  const bytes = v128.load(at);
  const isQuote = i8x16.eq(bytes, i8x16.splat(QUOTE as i8));
  return i8x16.bitmask(v128.or(isQuote, i8x16.eq(bytes, i8x16.splat(BACKSLASH as i8))));
}

/** Reads the time of a message, behind which only a response id may follow; where it begins. */
function readEpoch(start: usize, end: usize): usize {
  const timeEnd = load<u8>(end - 1) === QUOTE ? findResponseId(start, end) : end;
  const digits = timeEnd - EPOCH_LENGTH;
  const member = digits - (TIMESTAMP.length as usize);
  if (timeEnd === NOWHERE || member < start || !matches(member, TIMESTAMP)) return NOWHERE;
  time = readDigits(digits, timeEnd);
  return time < EARLIEST_TIME ? NOWHERE : member;
}

/** Finds the start of the member that ends at `end`, if it is the response's id. */
function findResponseId(start: usize, end: usize): usize {
  const quote = findPlainStringStart(end - 1, start);
  const member = quote + 1 - 15;
  if (quote === NOWHERE || member < start) return NOWHERE;
  return matches(member, ',"responseId":"') ? member : NOWHERE;
}

/** Finds what names the model of an answer, of which all that is left ends at `end`. */
function readModel(start: usize, end: usize): i32 {
  const quote = load<u8>(end - 1) === QUOTE ? findPlainStringStart(end - 1, start) : NOWHERE;
  const usageEnd = quote + 1 - 16;
  if (quote === NOWHERE || usageEnd < start || !matches(usageEnd, '},"stopReason":"')) return LEFT;
  const usageStart = findUsage(usageEnd, start);
  if (usageStart === NOWHERE) return LEFT;
  if (keeps !== KEEP_NOTHING && passValue(usageStart - 1) !== usageEnd + 1) return LEFT;
  const known = usageStart - namesLength;
  if (namesLength > 0 && known >= start && areSame(known, NAMES, namesLength)) {
    usageAt = usageStart - 1;
    return TAKEN;
  }
  namesStart = max(start, usageStart - MAX_NAMES);
  namesEnd = usageStart;
  return UNNAMED;
}

/** Finds the start of the usage that ends at `end`: an object of numbers, and of one more such object. */
function findUsage(end: usize, start: usize): usize {
  const limit = max(start, end - MAX_USAGE);
  let objects = 0;
  for (let at = end - 15; at + 15 >= limit; at -= 16) {
    const bytes = v128.load(at);
    const begins = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(BRACE_OPEN as i8)));
    const isQuote = i8x16.eq(bytes, i8x16.splat(QUOTE as i8));
    const isColon = i8x16.eq(v128.load(at - 1), i8x16.splat(COLON as i8));
    const texts = i8x16.bitmask(v128.and(isQuote, isColon));
    for (let places = begins | texts; places !== 0;) {
      const last = 31 - clz(places);
      const place = at + (last as usize);
      if (((texts >> last) & 1) !== 0 || place < limit) return NOWHERE;
      objects += 1;
      if (objects === 2) return place + 1;
      places ^= 1 << last;
    }
  }
  return NOWHERE;
}

/**
 * Returns whether bytes can be skipped, of a line that is too long to be looked at as a whole: nothing
 * stands there that would be found in a second line, and no control character. An LF has to follow.
 */
export function canPassOver(start: usize, end: usize): bool {
  if (findLineEnd(start, end + 1) !== end || contains(start, end, CUSTOM_TYPE)) return false;
  return !contains(start, end, SEAM);
}
