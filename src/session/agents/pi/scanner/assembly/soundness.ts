import { BACKSLASH, NOWHERE, QUOTE } from '../../../../jsonl/scanner/assembly/bytes';
import { isHex, passCharacters } from '../../../../jsonl/scanner/assembly/strings';

const LETTER_U: u8 = 0x75;
/** Every other bit, from the second on. */
const ODD_BITS: u64 = ((0xaaaa_aaaa as u64) << 32) | (0xaaaa_aaaa as u64);

/** Whether the byte at hand is behind a backslash that escapes it: 0 or 1. */
let isEscaped: u64 = 0;
/** All bits where the byte at hand is in a string, or its first quote. */
let inString: u64 = 0;
/** Whether the byte before was the last quote of a string, or may stand before a first one: 0 or 1. */
let wasEnd: u64 = 0;
let mayBegin: u64 = 0;
/** The end of the bytes whose characters outside of ASCII were looked at. */
let passed: usize = 0;

/** Resets the state at the beginning of a line. */
export function beginLine(): void {
  isEscaped = inString = wasEnd = mayBegin = 0;
  passed = 0;
}

/** Returns whether the line so far does not end within a string. */
export function endsOutside(): bool {
  return inString === 0 && isEscaped === 0;
}

/**
 * Returns whether a part of a line has well-formed characters and escapes alone, and quotes only where
 * strings begin and end: behind a comma, colon or bracket, and before one. Parts follow each other; a part
 * may not begin within a character or an escape of a code.
 */
export function isSound(start: usize, end: usize): bool {
  passed = start;
  for (let at = start; at < end; at += 64) {
    const left = end - at;
    const part: u64 = left >= 64 ? ~(0 as u64) : ((1 as u64) << (left as u64)) - 1;
    if (!isBlockSound(at, part)) return false;
  }
  return true;
}

function isBlockSound(at: usize, part: u64): bool {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const isHigh = v128.or(v128.or(a, b), v128.or(c, d));
  if (i8x16.bitmask(isHigh) !== 0) {
    const high = join(i8x16.bitmask(a), i8x16.bitmask(b), i8x16.bitmask(c), i8x16.bitmask(d));
    if (!areCharacters(at, high & part)) return false;
  }
  const escaped = findEscaped(findByte(a, b, c, d, BACKSLASH), part);
  if (escaped !== 0) {
    if ((escaped & ~findEscapes(a, b, c, d)) !== 0) return false;
    if (!areCodes(at, escaped & findByte(a, b, c, d, LETTER_U))) return false;
  }
  const quotes = findByte(a, b, c, d, QUOTE) & ~escaped & part;
  // Most blocks are within a string from end to end.
  if (quotes === 0 && inString !== 0) {
    mayBegin = 0;
    return true;
  }
  const inside = toggle(quotes) ^ inString;
  const begins = quotes & inside;
  const ends = quotes & ~inside;
  const openers = findEither(a, b, c, d, 0x2c, 0x3a) | findBrackets(a, b, c, d, 0x5b);
  const closers = findEither(a, b, c, d, 0x2c, 0x3a) | findBrackets(a, b, c, d, 0x5d);
  const isRight =
    (begins & ~((openers << 1) | mayBegin)) === 0 &&
    (((ends << 1) | wasEnd) & part & ~closers) === 0;
  mayBegin = openers >> 63;
  wasEnd = ends >> 63;
  inString = ((inside as i64) >> 63) as u64;
  if (part !== ~(0 as u64)) keepLast(part, inside, openers, ends);
  return isRight;
}

/** Keeps the last part, also one that ends before its block does. */
function keepLast(part: u64, inside: u64, openers: u64, ends: u64): void {
  const last = (63 - clz(part)) as u64;
  mayBegin = (openers >> last) & 1;
  wasEnd = (ends >> last) & 1;
  inString = ((inside >> last) & 1) !== 0 ? ~(0 as u64) : 0;
}

/** Finds bytes behind a backslash that is not behind one itself (as simdjson does). */
function findEscaped(backslashes: u64, part: u64): u64 {
  backslashes &= part;
  if (backslashes === 0) {
    const escaped = isEscaped;
    isEscaped = 0;
    return escaped;
  }
  const first = backslashes & ~isEscaped;
  const codes = (((first << 1) | ODD_BITS) - first) ^ ODD_BITS;
  const escaped = codes ^ (backslashes | isEscaped);
  const last = (63 - clz(part)) as u64;
  isEscaped = ((codes & backslashes) >> last) & 1;
  return escaped & part;
}

/** Returns whether escapes of codes have their digits. */
function areCodes(at: usize, escapes: u64): bool {
  for (let places = escapes; places !== 0; places &= places - 1) {
    const place = at + (ctz(places) as usize);
    if (!isHex(place + 1) || !isHex(place + 2) || !isHex(place + 3) || !isHex(place + 4)) {
      return false;
    }
  }
  return true;
}

function areCharacters(at: usize, high: u64): bool {
  for (let places = high; places !== 0; places &= places - 1) {
    const place = at + (ctz(places) as usize);
    if (place < passed) continue;
    passed = passCharacters(place);
    if (passed === NOWHERE) return false;
  }
  return true;
}

/** Computes for each bit whether there is an odd number of bits up to it. */
function toggle(bits: u64): u64 {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ (bits << 32);
}

function findByte(a: v128, b: v128, c: v128, d: v128, byte: u8): u64 {
  const wanted = i8x16.splat(byte as i8);
  return join(
    i8x16.bitmask(i8x16.eq(a, wanted)),
    i8x16.bitmask(i8x16.eq(b, wanted)),
    i8x16.bitmask(i8x16.eq(c, wanted)),
    i8x16.bitmask(i8x16.eq(d, wanted)),
  );
}

function findEither(a: v128, b: v128, c: v128, d: v128, one: u8, other: u8): u64 {
  const first = i8x16.splat(one as i8);
  const second = i8x16.splat(other as i8);
  return join(
    i8x16.bitmask(v128.or(i8x16.eq(a, first), i8x16.eq(a, second))),
    i8x16.bitmask(v128.or(i8x16.eq(b, first), i8x16.eq(b, second))),
    i8x16.bitmask(v128.or(i8x16.eq(c, first), i8x16.eq(c, second))),
    i8x16.bitmask(v128.or(i8x16.eq(d, first), i8x16.eq(d, second))),
  );
}

/** A bracket, or the brace that differs from it by one bit. */
function findBrackets(a: v128, b: v128, c: v128, d: v128, bracket: u8): u64 {
  const bit = i8x16.splat(0x20);
  return findByte(
    v128.or(a, bit),
    v128.or(b, bit),
    v128.or(c, bit),
    v128.or(d, bit),
    bracket | 0x20,
  );
}

/** Finds bytes that may follow a backslash. */
function findEscapes(a: v128, b: v128, c: v128, d: v128): u64 {
  return join(
    i8x16.bitmask(findEscapable(a)),
    i8x16.bitmask(findEscapable(b)),
    i8x16.bitmask(findEscapable(c)),
    i8x16.bitmask(findEscapable(d)),
  );
}

/** `"`, `\`, `/`, b, f, n, r, t, u: a bit for each upper half that a lower half may have. */
function findEscapable(bytes: v128): v128 {
  // The upper half 2 fits the lower halves 2 and f; 5 fits c; 6 fits 2, 6 and e; 7 fits 2, 4 and 5.
  const lower = i8x16(0, 0, 0x0d, 0, 0x08, 0x08, 0x04, 0, 0, 0, 0, 0, 0x02, 0, 0x04, 0x01);
  const upper = i8x16(0, 0, 0x01, 0, 0, 0x02, 0x04, 0x08, 0, 0, 0, 0, 0, 0, 0, 0);
  const low = i8x16.swizzle(lower, v128.and(bytes, i8x16.splat(0x0f)));
  const high = i8x16.swizzle(upper, i8x16.shr_u(bytes, 4));
  return i8x16.ne(v128.and(low, high), i8x16.splat(0));
}

/** One word of four sixteens of bits. */
function join(a: i32, b: i32, c: i32, d: i32): u64 {
  return ((((d << 16) | c) as u64) << 32) | (((b << 16) | a) as u32 as u64);
}
