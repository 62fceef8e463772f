import { BACKSLASH, matches, NOWHERE, QUOTE, SPACE } from './bytes';

/** Whether the last string holds neither escapes nor anything but ASCII. */
export let isPlain: bool = true;

/** Whether a string since has held an escaped NUL. */
export let hasNul: bool = false;
/** Whether a string since has held an escape of one half of a surrogate pair, alone or with the other. */
export let hasSurrogate: bool = false;

export function forgetEscapes(): void {
  hasNul = false;
  hasSurrogate = false;
}

/** A string that is plain for so long is likely to be so for longer. */
const LONG: usize = 128;

/**
 * Skips a string whose first quote is before `at`, with all the checks of JSON and of UTF-8: the
 * place of its last quote, or nowhere.
 */
export function passString(at: usize): usize {
  isPlain = true;
  let longAt = at + LONG;
  while (true) {
    if (at >= longAt) at = passPlain(at);
    let stops = i8x16.bitmask(findStops(v128.load(at)));
    let next = at + 16;
    while (stops !== 0) {
      const place = at + (ctz(stops) as usize);
      const byte = load<u8>(place);
      if (byte === QUOTE) return place;
      isPlain = false;
      longAt = place + LONG;
      const behind = byte === BACKSLASH ? passEscape(place) : passCharacters(place);
      if (behind === NOWHERE) return NOWHERE;
      stops = behind < next ? stops & (-1 << ((behind - at) as i32)) : 0;
      next = max(next, behind);
    }
    at = next;
  }
}

/** Skips blocks of a string that are ASCII without escapes, and do not end it. */
function passPlain(at: usize): usize {
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const stops = v128.or(v128.or(findStops(a), findStops(b)), v128.or(findStops(c), findStops(d)));
    if (v128.any_true(stops)) return at;
    at += 64;
  }
}

/** Finds quotes, backslashes, control characters, and all that is not ASCII. */
function findStops(bytes: v128): v128 {
  const isQuote = i8x16.eq(bytes, i8x16.splat(QUOTE as i8));
  const isBackslash = i8x16.eq(bytes, i8x16.splat(BACKSLASH as i8));
  // Signed comparison puts every byte that is not ASCII below the space, too.
  return v128.or(v128.or(isQuote, isBackslash), i8x16.lt_s(bytes, i8x16.splat(SPACE as i8)));
}

/** Returns whether a text of 18 bytes or more is base64, with up to two signs that fill it up. */
export function isBase64(start: usize, end: usize): bool {
  if (load<u8>(end - 1) === FILLER) end -= 1;
  if (load<u8>(end - 1) === FILLER) end -= 1;
  const last = end - 16;
  let at = start;
  for (; at + 64 <= end; at += 64) {
    const first = v128.and(markBase64(v128.load(at)), markBase64(v128.load(at, 16)));
    const second = v128.and(markBase64(v128.load(at, 32)), markBase64(v128.load(at, 48)));
    if (!i8x16.all_true(v128.and(first, second))) return false;
  }
  for (; at < last; at += 16) if (!i8x16.all_true(markBase64(v128.load(at)))) return false;
  return i8x16.all_true(markBase64(v128.load(last)));
}

/** Sets the bytes that are signs of base64. */
function markBase64(bytes: v128): v128 {
  const letters = i8x16.sub(v128.or(bytes, i8x16.splat(0x20)), i8x16.splat(0x61));
  const areLetters = i8x16.lt_u(letters, i8x16.splat(26));
  // A slash stands right before the digits.
  const areDigits = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x2f)), i8x16.splat(11));
  const isPlus = i8x16.eq(bytes, i8x16.splat(0x2b));
  return v128.or(v128.or(areLetters, areDigits), isPlus);
}

const FILLER: u8 = 0x3d;
const FOUR_ZEROS: u32 = 0x3030_3030;
const LETTER_D: u8 = 0x64;

function passEscape(at: usize): usize {
  switch (load<u8>(at, 1)) {
    case 0x6e: // n
    case QUOTE:
    case BACKSLASH:
    case 0x74: // t
    case 0x72: // r
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
      return at + 2;
    case 0x75: // u
      if (load<u32>(at, 2) === FOUR_ZEROS) hasNul = true;
      else if ((load<u8>(at, 2) | 0x20) === LETTER_D && load<u8>(at, 3) >= 0x38)
        hasSurrogate = true;
      return isHex(at + 2) && isHex(at + 3) && isHex(at + 4) && isHex(at + 5) ? at + 6 : NOWHERE;
    default:
      return NOWHERE;
  }
}

/** Returns how many bytes a character or an escape takes, in a string that was skipped. */
export function passLength(at: usize): usize {
  const byte = load<u8>(at);
  if (byte === BACKSLASH) return load<u8>(at, 1) === 0x75 ? 6 : 2;
  return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

export function isHex(at: usize): bool {
  const byte = load<u8>(at);
  return ((byte - 0x30) as u8) <= 9 || (((byte | 0x20) - 0x61) as u8) <= 5;
}

/** Skips characters that are not ASCII, as UTF-8 has them (RFC 3629). */
export function passCharacters(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte < 0x80) return byte < SPACE ? NOWHERE : at;
    const length = getLength(at, byte);
    if (length === 0) return NOWHERE;
    at += length;
  }
}

/** Returns the length of a well-formed character; 0 for anything else. */
function getLength(at: usize, first: u8): usize {
  const second = load<u8>(at, 1);
  if (first < 0xe0) return first >= 0xc2 && isNext(second) ? 2 : 0;
  if (!isNext(second) || !isNext(load<u8>(at, 2))) return 0;
  if (first < 0xf0) {
    // Neither longer than it has to be, nor half of a surrogate pair.
    if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f)) return 0;
    return 3;
  }
  if (first > 0xf4 || !isNext(load<u8>(at, 3))) return 0;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f)) return 0;
  return 4;
}

function isNext(byte: u8): bool {
  return (byte & 0xc0) === 0x80;
}

/** Skips a number as JSON has it; nowhere if there is none. */
export function passNumber(at: usize): usize {
  if (load<u8>(at) === 0x2d) at += 1;
  const first = load<u8>(at);
  if (!isDigit(first)) return NOWHERE;
  at = first === 0x30 ? at + 1 : passDigits(at);
  if (load<u8>(at) === 0x2e) {
    if (!isDigit(load<u8>(at, 1))) return NOWHERE;
    at = passDigits(at + 1);
  }
  if ((load<u8>(at) | 0x20) !== 0x65) return at;
  const sign = load<u8>(at, 1);
  at += sign === 0x2b || sign === 0x2d ? 2 : 1;
  return isDigit(load<u8>(at)) ? passDigits(at) : NOWHERE;
}

function isDigit(byte: u8): bool {
  return ((byte - 0x30) as u8) <= 9;
}

function passDigits(at: usize): usize {
  while (isDigit(load<u8>(at))) at += 1;
  return at;
}

/** Skips `true`, `false` or `null`. */
export function passLiteral(at: usize): usize {
  if (matches(at, 'true') || matches(at, 'null')) return at + 4;
  return matches(at, 'false') ? at + 5 : NOWHERE;
}

/** Skips white space; there is none in what agents write. */
export function passSpace(at: usize): usize {
  while (true) {
    const byte = load<u8>(at);
    if (byte !== SPACE && byte !== 0x09 && byte !== 0x0d) return at;
    at += 1;
  }
}
