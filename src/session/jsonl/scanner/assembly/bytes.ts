/**
 * The answer without a match. Otherwise, the answer is the place behind the match, or the one that is looked
 * for.
 */
export const NOWHERE: usize = 0;

export const LF: u8 = 0x0a;
export const QUOTE: u8 = 0x22;
export const COMMA: u8 = 0x2c;
export const COLON: u8 = 0x3a;
export const LETTER_Z: u8 = 0x5a;
export const BACKSLASH: u8 = 0x5c;
export const BRACE_OPEN: u8 = 0x7b;
export const BRACE_CLOSE: u8 = 0x7d;
/** All bytes below it are control characters, which no string of JSON may hold. */
export const SPACE: u8 = 0x20;

/** Returns whether an ASCII text stands at a place. */
export function matches(at: usize, text: string): bool {
  const units = changetype<usize>(text);
  const length = text.length as usize;
  let index: usize = 0;
  for (; index + 8 <= length; index += 8) {
    if (compareEight(at + index, units + (index << 1)) !== 0xff) return false;
  }
  const rest = (1 << ((length - index) as i32)) - 1;
  return rest === 0 || (compareEight(at + index, units + (index << 1)) & rest) === rest;
}

/** Compares eight bytes with a text, a bit each. */
function compareEight(at: usize, units: usize): i32 {
  return i16x8.bitmask(i16x8.eq(v128.load_ext<u8>(at), v128.load(units)));
}

/** Returns whether an ASCII text of two characters or more stands somewhere before `end`. */
export function contains(at: usize, end: usize, text: string): bool {
  const first = i8x16.splat(text.charCodeAt(0) as i8);
  const second = i8x16.splat(text.charCodeAt(1) as i8);
  const last = end - (text.length as usize);
  for (; at <= last; at += 16) {
    const isFirst = i8x16.eq(v128.load(at), first);
    let places = i8x16.bitmask(v128.and(isFirst, i8x16.eq(v128.load(at, 1), second)));
    for (; places !== 0; places &= places - 1) {
      const place = at + (ctz(places) as usize);
      if (place <= last && matches(place, text)) return true;
    }
  }
  return false;
}

/** The number that eight lower-case hexadecimal digits make; negative if they are not there. */
export function readHex(at: usize): i64 {
  const bytes = v128.load_zero<u64>(at);
  const digits = i8x16.sub(bytes, i8x16.splat(0x30));
  const letters = i8x16.sub(bytes, i8x16.splat(0x61));
  const areDigits = i8x16.lt_u(digits, i8x16.splat(10));
  const areLetters = i8x16.lt_u(letters, i8x16.splat(6));
  if ((i8x16.bitmask(v128.or(areDigits, areLetters)) & 0xff) !== 0xff) return -1;
  const values = v128.bitselect(digits, i8x16.add(letters, i8x16.splat(10)), areDigits);
  const first = joinFour(i32x4.extract_lane(values, 0));
  const second = joinFour(i32x4.extract_lane(values, 1));
  return ((first as i64) << 16) | (second as i64);
}

/** The number that four digits of four bits make, in bytes of which the lowest counts most. */
function joinFour(digits: u32): u32 {
  const pairs = ((digits << 4) | (digits >> 8)) & 0x00ff_00ff;
  return ((pairs << 8) | (pairs >> 16)) & 0xffff;
}

/** The number that the decimal digits from `start` to before `end` make; negative if others stand there. */
export function readDigits(start: usize, end: usize): i64 {
  let value: i64 = 0;
  for (let at = start; at < end; at += 1) {
    const digit: u8 = load<u8>(at) - 0x30;
    if (digit > 9) return -1;
    value = value * 10 + (digit as i64);
  }
  return value;
}

/** Finds the first quote of a string without escapes whose last quote is at `end`. */
export function findPlainStringStart(end: usize, limit: usize): usize {
  for (let at = end - 1; at >= limit; at -= 1) {
    const byte = load<u8>(at);
    if (byte === QUOTE) return load<u8>(at - 1) === BACKSLASH ? NOWHERE : at;
    if (byte === BACKSLASH) return NOWHERE;
  }
  return NOWHERE;
}

/** Copies bytes, in sixteens: up to 15 more than asked for. For few of them, a call costs more. */
export function copyFew(to: usize, from: usize, length: usize): void {
  for (let index: usize = 0; index < length; index += 16) {
    v128.store(to + index, v128.load(from + index));
  }
}

/** Returns whether the same bytes stand at two places. */
export function areSame(one: usize, other: usize, length: usize): bool {
  let index: usize = 0;
  for (; index + 16 <= length; index += 16) {
    if (v128.any_true(v128.xor(v128.load(one + index), v128.load(other + index)))) return false;
  }
  for (; index < length; index += 1) {
    if (load<u8>(one + index) !== load<u8>(other + index)) return false;
  }
  return true;
}
