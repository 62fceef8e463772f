import {
  BASE64,
  DONE,
  DROP,
  LEFT,
  LINES,
  LINE_BYTES,
  MAX_LINES,
  MEMBER_BYTES,
  NODE_BYTES,
  RESULT,
  RESULT_END,
  START,
  START_BYTES,
  WHOLE,
} from '../layout';
import {
  areSame,
  BACKSLASH,
  BRACE_CLOSE,
  BRACE_OPEN,
  COMMA,
  LF,
  NOWHERE,
  QUOTE,
  SPACE,
} from './bytes';
import { stopAt } from './ending';
import {
  forgetEscapes,
  hasNul,
  hasSurrogate,
  isBase64,
  isPlain,
  passLength,
  passSpace,
  passString,
} from './strings';
import { passColon, passValue } from './values';

const ARRAY_START: u8 = 0x5b;
const ARRAY_END: u8 = 0x5d;
const ANGLE: u8 = 0x3c;
/** Plans that go deeper than this end here. */
const MAX_DEPTH: i32 = 64;
/** The most bytes that are written beside copied ones before room is checked again. */
const SMALL: usize = 64;

/** The end of the reduced lines. */
export let resultEnd: usize = RESULT;
/** Whether all of that is ASCII. */
export let isAscii: bool = true;

let out: usize = RESULT;
let depth: i32 = 0;
/** Whether there was no room for what is left of the line at hand. */
let isFull: bool = false;

/**
 * Takes whole lines from `from` on that hold an object each, with all the checks of JSON and of UTF-8,
 * and leaves of them what a plan names, as the elements of an array; up to the first that is malformed
 * or written in a way that it does not understand. Returns how many.
 */
export function reduce(from: usize, end: usize, plan: usize): i32 {
  let count: i32 = 0;
  let place = from;
  let why = DONE;
  out = RESULT;
  const behind = load<u8>(end);
  // A line ends here, whatever the memory behind it holds.
  store<u8>(end, 0);
  while (count < MAX_LINES && place < end) {
    const before = out;
    write(count === 0 ? ARRAY_START : COMMA);
    const lineEnd = reduceLine(place, plan);
    if (lineEnd === NOWHERE) {
      out = before;
      if (!isFull || count === 0) why = hasLf(place, end) ? LEFT : DONE;
      break;
    }
    const line = LINES + count * LINE_BYTES;
    store<u32>(line, place as u32);
    store<u32>(line, (lineEnd - place) as u32, 4);
    store<u32>(line, hasSurrogate ? 1 : 0, 8);
    count += 1;
    place = lineEnd + 1;
  }
  store<u8>(end, behind);
  write(ARRAY_END);
  resultEnd = out;
  isAscii = areAscii(RESULT, out);
  stopAt(place, why);
  return count;
}

/** The LF behind a line; nowhere if it has to be parsed, or does not end here. */
function reduceLine(start: usize, plan: usize): usize {
  isFull = false;
  depth = 0;
  forgetEscapes();
  if (load<u8>(start) !== BRACE_OPEN) return NOWHERE;
  const behind = reduceValue(start, plan);
  if (behind === NOWHERE || hasNul) return NOWHERE;
  const lineEnd = passSpace(behind);
  return load<u8>(lineEnd) === LF ? lineEnd : NOWHERE;
}

/** Skips a value, and leaves of it what its part of the plan says; the place behind it. */
function reduceValue(at: usize, part: usize): usize {
  const byte = load<u8>(at);
  if (part > (BASE64 as usize)) {
    if (byte === BRACE_OPEN) return reduceObject(at, part);
    if (byte === ARRAY_START) return reduceArray(at, part);
    part = byte === QUOTE ? (load<u32>(part) as usize) : WHOLE;
  }
  const isShortened = part === START || part === BASE64;
  if (isShortened && byte === QUOTE) return reduceText(at, part === BASE64);
  const behind = passValue(at);
  if (behind === NOWHERE) return NOWHERE;
  if (isShortened && (byte === BRACE_OPEN || byte === ARRAY_START)) {
    if (!hasRoom(SMALL)) return NOWHERE;
    write(byte);
    write(byte === BRACE_OPEN ? BRACE_CLOSE : ARRAY_END);
    return behind;
  }
  return part === DROP || copy(at, behind) ? behind : NOWHERE;
}

function reduceObject(at: usize, node: usize): usize {
  if (!hasRoom(SMALL)) return NOWHERE;
  write(BRACE_OPEN);
  at = passSpace(at + 1);
  if (load<u8>(at) !== BRACE_CLOSE) {
    at = reduceMembers(at, node);
    if (at === NOWHERE) return NOWHERE;
  }
  write(BRACE_CLOSE);
  return at + 1;
}

/** Skips the members of an object; where it ends. */
function reduceMembers(at: usize, node: usize): usize {
  let isFirst = true;
  while (true) {
    if (load<u8>(at) !== QUOTE) return NOWHERE;
    const quote = passString(at + 1);
    // A key may be written in many ways.
    if (quote === NOWHERE || !isPlain) return NOWHERE;
    const part = findPart(node, at + 1, quote - at - 1);
    const value = passColon(quote + 1);
    if (value === NOWHERE) return NOWHERE;
    if (part === DROP) at = passValue(value);
    else {
      if (!isFirst) write(COMMA);
      isFirst = false;
      if (!copy(at, value)) return NOWHERE;
      at = reduceValue(value, part);
    }
    if (at === NOWHERE) return NOWHERE;
    at = passSpace(at);
    const byte = load<u8>(at);
    if (byte === BRACE_CLOSE) return at;
    if (byte !== COMMA) return NOWHERE;
    at = passSpace(at + 1);
  }
}

function reduceArray(at: usize, node: usize): usize {
  depth += 1;
  if (depth > MAX_DEPTH || !hasRoom(SMALL)) return NOWHERE;
  write(ARRAY_START);
  at = passSpace(at + 1);
  if (load<u8>(at) !== ARRAY_END) {
    while (true) {
      at = reduceValue(at, node);
      if (at === NOWHERE) return NOWHERE;
      at = passSpace(at);
      const byte = load<u8>(at);
      if (byte === ARRAY_END) break;
      if (byte !== COMMA || !hasRoom(SMALL)) return NOWHERE;
      write(COMMA);
      at = passSpace(at + 1);
    }
  }
  depth -= 1;
  write(ARRAY_END);
  return at + 1;
}

/**
 * The beginning of a long text, with the white space before it. One that begins with an angle then is left
 * whole, and so is one that may begin with other white space: text of harnesses is recognized by its beginning.
 */
function reduceText(at: usize, onlyBase64: bool): usize {
  const quote = passString(at + 1);
  if (quote === NOWHERE) return NOWHERE;
  let cut = passBlanks(at + 1);
  const first = load<u8>(cut);
  const isCut =
    quote > cut + 2 * START_BYTES &&
    first < 0x80 &&
    first !== ANGLE &&
    first !== BACKSLASH &&
    (!onlyBase64 || isBase64(at + 1, quote));
  if (!isCut) return copy(at, quote + 1) ? quote + 1 : NOWHERE;
  const end = cut + START_BYTES;
  while (cut < end) cut += passLength(cut);
  if (!copy(at, cut)) return NOWHERE;
  write(QUOTE);
  return quote + 1;
}

/** Skips spaces, tabs and line ends at the beginning of a text. */
function passBlanks(at: usize): usize {
  while (true) {
    if (load<u8>(at) === SPACE) at += 1;
    else if (load<u8>(at) === BACKSLASH && isBlank(load<u8>(at, 1))) at += 2;
    else return at;
  }
}

function isBlank(escaped: u8): bool {
  return escaped === 0x6e || escaped === 0x72 || escaped === 0x74;
}

/** Looks up a member in a node: a hash table with room. */
function findPart(node: usize, key: usize, length: usize): usize {
  const mask = load<u32>(node, 4) as usize;
  const table = node + NODE_BYTES;
  let place = hash(key, length) & mask;
  while (true) {
    const member = table + place * MEMBER_BYTES;
    const name = load<u32>(member) as usize;
    if (name === 0) return DROP;
    if ((load<u8>(name) as usize) === length && areSame(name + 1, key, length)) {
      return load<u32>(member, 4) as usize;
    }
    place = (place + 1) & mask;
  }
}

/** Hashes a key exactly like `plan.ts`. */
function hash(key: usize, length: usize): usize {
  if (length === 0) return 0;
  return length * 5 + (load<u8>(key) as usize) + (load<u8>(key + length - 1) as usize) * 3;
}

function hasRoom(length: usize): bool {
  isFull = out + length + SMALL > (RESULT_END as usize);
  return !isFull;
}

function write(byte: u8): void {
  store<u8>(out, byte);
  out += 1;
}

function copy(start: usize, end: usize): bool {
  const length = end - start;
  if (!hasRoom(length)) return false;
  for (let index: usize = 0; index < length; index += 16) {
    v128.store(out + index, v128.load(start + index));
  }
  out += length;
  return true;
}

function areAscii(start: usize, end: usize): bool {
  let bits = i32x4.splat(0);
  for (; start + 16 <= end; start += 16) bits = v128.or(bits, v128.load(start));
  let last: u8 = 0;
  for (; start < end; start += 1) last |= load<u8>(start);
  return i8x16.bitmask(bits) === 0 && last < 0x80;
}

function hasLf(place: usize, end: usize): bool {
  const lf = i8x16.splat(LF as i8);
  for (; place + 16 <= end; place += 16) {
    if (v128.any_true(i8x16.eq(v128.load(place), lf))) return true;
  }
  for (; place < end; place += 1) if (load<u8>(place) === LF) return true;
  return false;
}
