import {
  BRACE_CLOSE,
  BRACE_OPEN,
  COLON,
  COMMA,
  copyFew,
  matches,
  NOWHERE,
  QUOTE,
} from '../../../../jsonl/scanner/assembly/bytes';
import { isPlain, passNumber, passString } from '../../../../jsonl/scanner/assembly/strings';
import { passValue } from '../../../../jsonl/scanner/assembly/values';
import { USAGE_MEMBERS } from '../layout';
import { NUMBERS } from './memory';

const ZERO: u8 = 0x30;
/** The places of members among the numbers of an answer: `USAGE_MEMBERS` of them. */
const INPUT: usize = 0;
const OUTPUT: usize = 1;
const CACHE_READ: usize = 2;
const CACHE_WRITE: usize = 3;
const TOTAL: usize = 4;
const COST: usize = 5;
/** The place of what is not kept. */
const OTHER: usize = 6;

/**
 * Writes the time of an answer, in milliseconds, and the numbers of its usage as they stand there, each behind a
 * comma, and returns the end; nowhere if its line has to be parsed. JSON has been checked.
 */
export function writeUsage(out: usize, time: f64, usage: usize): usize {
  for (let member: usize = 0; member < (USAGE_MEMBERS as usize); member += 1) clear(member);
  if (readMembers(usage, false) === NOWHERE) return NOWHERE;
  out = writeDigits(out, time as i64);
  for (let member: usize = 0; member < (USAGE_MEMBERS as usize); member += 1) {
    out = writeNumber(out, member);
  }
  return out;
}

/** Reads the members of a usage, or of its costs; as parsing has it, the last of equal keys counts. */
function readMembers(at: usize, areCosts: bool): usize {
  if (load<u8>(at, 1) === BRACE_CLOSE) return at + 2;
  while (true) {
    const value = passKey(at + 1);
    if (value === NOWHERE) return NOWHERE;
    const key = at + 2;
    const length = value - at - 4;
    const end = areCosts ? readCost(value, key, length) : readMember(value, key, length);
    if (end === NOWHERE) return NOWHERE;
    if (load<u8>(end) !== COMMA) return load<u8>(end) === BRACE_CLOSE ? end + 1 : NOWHERE;
    at = end;
  }
}

function readMember(value: usize, key: usize, length: usize): usize {
  const member = toMember(key, length);
  if (member === OTHER) return passValue(value);
  if (member !== COST) return readNumber(value, member);
  clear(COST);
  return load<u8>(value) === BRACE_OPEN ? readMembers(value, true) : passNumber(value);
}

/** Reads the total of the costs. */
function readCost(value: usize, key: usize, length: usize): usize {
  return length === 5 && matches(key, 'total') ? readNumber(value, COST) : passValue(value);
}

/** Skips a key without escapes and its colon, to the value. */
function passKey(at: usize): usize {
  if (load<u8>(at) !== QUOTE) return NOWHERE;
  const quote = passString(at + 1);
  return quote !== NOWHERE && isPlain && load<u8>(quote + 1) === COLON ? quote + 2 : NOWHERE;
}

function toMember(key: usize, length: usize): usize {
  switch (length as i32) {
    case 4:
      return matches(key, 'cost') ? COST : OTHER;
    case 5:
      return matches(key, 'input') ? INPUT : OTHER;
    case 6:
      return matches(key, 'output') ? OUTPUT : OTHER;
    case 9:
      return matches(key, 'cacheRead') ? CACHE_READ : OTHER;
    case 10:
      return matches(key, 'cacheWrite') ? CACHE_WRITE : OTHER;
    case 11:
      return matches(key, 'totalTokens') ? TOTAL : OTHER;
    default:
      return OTHER;
  }
}

/** Reads a number as it is written; nowhere for any other value. */
function readNumber(at: usize, member: usize): usize {
  const end = passNumber(at);
  if (end === NOWHERE) return NOWHERE;
  store<u32>(NUMBERS + member * 8, at as u32);
  store<u32>(NUMBERS + member * 8, (end - at) as u32, 4);
  return end;
}

function clear(member: usize): void {
  store<u64>(NUMBERS + member * 8, 0);
}

/** Writes a number behind a comma; 0 for one that is not there. */
function writeNumber(out: usize, member: usize): usize {
  store<u8>(out, COMMA);
  const length = load<u32>(NUMBERS + member * 8, 4) as usize;
  if (length === 0) {
    store<u8>(out, ZERO, 1);
    return out + 2;
  }
  copyFew(out + 1, load<u32>(NUMBERS + member * 8) as usize, length);
  return out + 1 + length;
}

/** Writes a whole number that is not negative behind a comma. */
function writeDigits(out: usize, number: i64): usize {
  store<u8>(out, COMMA);
  let digits: usize = 1;
  for (let rest = number / 10; rest > 0; rest /= 10) digits += 1;
  for (let at = out + digits; at > out; at -= 1) {
    store<u8>(at, ZERO + ((number % 10) as u8));
    number /= 10;
  }
  return out + digits + 1;
}
