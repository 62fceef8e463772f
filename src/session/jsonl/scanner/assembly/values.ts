import { COLON, COMMA, NOWHERE, QUOTE } from './bytes';
import { MAX_NESTING, NESTING } from '../layout';
import { passLiteral, passNumber, passSpace, passString } from './strings';

const OBJECT_START: u8 = 0x7b;
const ARRAY_START: u8 = 0x5b;
/** The brackets that enclose the current value, a byte each. */
const STACK: usize = NESTING;
const MAX_DEPTH: usize = MAX_NESTING;
/** A value from the byte that begins an object or array to the one that ends it. */
const TO_END: u8 = 2;

/** Skips any value with all the checks of JSON and of UTF-8: the place behind it, or nowhere. */
export function passValue(at: usize): usize {
  let depth: usize = 0;
  while (true) {
    const byte = load<u8>(at);
    if (byte === QUOTE) {
      const quote = passString(at + 1);
      if (quote === NOWHERE) return NOWHERE;
      at = quote + 1;
    } else if (byte === OBJECT_START || byte === ARRAY_START) {
      if (depth === MAX_DEPTH) return NOWHERE;
      at = passSpace(at + 1);
      if (load<u8>(at) !== byte + TO_END) {
        store<u8>(STACK + depth, byte);
        depth += 1;
        if (byte === OBJECT_START) at = passKey(at);
        if (at === NOWHERE) return NOWHERE;
        continue;
      }
      at += 1;
    } else {
      at = byte >= 0x61 ? passLiteral(at) : passNumber(at);
      if (at === NOWHERE) return NOWHERE;
    }
    // This passes the ends of what ends here, to the next value.
    while (true) {
      if (depth === 0) return at;
      at = passSpace(at);
      const next = load<u8>(at);
      const around = load<u8>(STACK + depth - 1);
      at += 1;
      if (next === COMMA) {
        at = passSpace(at);
        if (around === OBJECT_START) at = passKey(at);
        if (at === NOWHERE) return NOWHERE;
        break;
      }
      if (next !== around + TO_END) return NOWHERE;
      depth -= 1;
    }
  }
}

/** Skips a key and its colon, to the value. */
function passKey(at: usize): usize {
  if (load<u8>(at) !== QUOTE) return NOWHERE;
  const quote = passString(at + 1);
  return quote === NOWHERE ? NOWHERE : passColon(quote + 1);
}

/** Skips a colon, to the value behind it. */
export function passColon(at: usize): usize {
  at = passSpace(at);
  return load<u8>(at) === COLON ? passSpace(at + 1) : NOWHERE;
}
