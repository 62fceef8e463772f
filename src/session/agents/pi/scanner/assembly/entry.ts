import { matches, NOWHERE, QUOTE } from '../../../../jsonl/scanner/assembly/bytes';
import { CALLS, CALLS_END, MAX_DEPTH, STACK } from './memory';
import { addBytes, addMark, beginShape, hasRoom } from './shapes';
import {
  BLOCK_ID,
  BLOCK_KIND,
  BLOCK_NAME,
  CALL_ID,
  clearSlots,
  CUSTOM_TYPE,
  equals,
  fillSlot,
  getLength,
  getStart,
  ID,
  KIND,
  MESSAGE_TIME,
  MODEL,
  NEXT_LEVEL,
  NEXT_MODEL,
  NEXT_PROVIDER,
  NO_SLOT,
  PARENT,
  PROVIDER,
  setSlot,
  STOP_REASON,
  TIME,
} from './slots';
import {
  passLiteral,
  passNumber,
  passSpace,
  passString,
} from '../../../../jsonl/scanner/assembly/strings';

/** The contexts of a value, which decide the meaning of its members. */
const ENTRY: u8 = 1;
const MESSAGE: u8 = 2;
const CONTENT: u8 = 3;
const BLOCK: u8 = 4;
/** Its members count for the shape, and for nothing else. */
const PLAIN: u8 = 5;
/** The content does not count for the shape, since another program writes it. */
const OPAQUE: u8 = 6;
/** The bit that is added to the context of an array. */
const ARRAY: u8 = 0x80;

const OBJECT_START: u8 = 0x7b;
const OBJECT_END: u8 = 0x7d;
const ARRAY_START: u8 = 0x5b;
const ARRAY_END: u8 = 0x5d;
const COMMA: u8 = 0x2c;

/** Marks of a shape: no key or kind holds any of them, but for what is a text by itself. */
const KEY_MARK: u8 = 1;
const KIND_MARK: u8 = 2;
const END_MARK: u8 = 3;
const STRING_MARK: u8 = 4;
const NUMBER_MARK: u8 = 5;
const OPAQUE_OBJECT_MARK: u8 = 6;
const OPAQUE_ARRAY_MARK: u8 = 7;
/** `true` and `false` are the same to all that asks for a shape; null is not. */
const BOOLEAN_MARK: u8 = 8;
const NULL_MARK: u8 = 11;

/** The current address in an entry; the one behind it in the end. */
export let at: usize = 0;
/** How many calls of tools are in the content, each with its id and its name. */
export let calls: u32 = 0;

let depth: usize = 0;
let context: u8 = ENTRY;
/** The context of the members of the next value, and the slot of a string. */
let nextContext: u8 = 0;
let nextSlot: usize = NO_SLOT;

/**
 * Skips an object with all the checks of JSON, while it fills slots and makes the shape. False
 * when it is not well-formed, or more than is understood: `at` is where that was.
 */
export function passEntry(start: usize): bool {
  at = start;
  depth = 0;
  context = ENTRY;
  calls = 0;
  clearSlots(0);
  beginShape();
  nextContext = ENTRY;
  nextSlot = NO_SLOT;
  if (load<u8>(at) !== OBJECT_START) return false;
  while (true) {
    if (!passValue() || !passEnds()) return false;
    if (depth === 0) return true;
    if (!beginNext()) return false;
  }
}

/** Skips a scalar, or into an object or array, down to its first scalar or its end. */
function passValue(): bool {
  while (true) {
    const byte = load<u8>(at);
    if (byte === QUOTE) return passText();
    if (byte !== OBJECT_START && byte !== ARRAY_START) return passScalar(byte);
    if (depth === MAX_DEPTH || !hasRoom(0)) return false;
    enter(byte === ARRAY_START);
    at = passSpace(at + 1);
    if (load<u8>(at) === (byte === ARRAY_START ? ARRAY_END : OBJECT_END)) return true;
    if (!beginNext()) return false;
  }
}

function enter(isArray: bool): void {
  if (context !== OPAQUE) {
    if (nextContext === OPAQUE) addMark(isArray ? OPAQUE_ARRAY_MARK : OPAQUE_OBJECT_MARK);
    else addMark(isArray ? ARRAY_START : OBJECT_START);
  }
  // The last member of a name decides about a message or its content.
  if (nextContext === MESSAGE) clearSlots(PROVIDER);
  if (nextContext === MESSAGE || nextContext === CONTENT) calls = 0;
  if (nextContext === BLOCK) clearSlots(BLOCK_KIND);
  context = isArray === (nextContext === CONTENT) || nextContext >= PLAIN ? nextContext : PLAIN;
  store<u8>(STACK + depth, context | (isArray ? ARRAY : 0));
  depth += 1;
}

/** Goes on to a member of what is around: over its key, if that is an object. */
function beginNext(): bool {
  nextSlot = NO_SLOT;
  nextContext = context === CONTENT ? BLOCK : context;
  if (isInArray()) return true;
  if (load<u8>(at) !== QUOTE) return false;
  const start = at + 1;
  const end = passString(start);
  if (end === NOWHERE) return false;
  if (context !== OPAQUE && !addKey(start, end - start)) return false;
  at = passSpace(end + 1);
  if (load<u8>(at) !== 0x3a) return false;
  at = passSpace(at + 1);
  return true;
}

function addKey(start: usize, length: usize): bool {
  if (!hasRoom(length)) return false;
  addBytes(KEY_MARK, start, length, END_MARK);
  nextContext = PLAIN;
  if (context === ENTRY) findEntryMember(start, length);
  else if (context === MESSAGE) findMessageMember(start, length);
  else if (context === BLOCK) findBlockMember(start, length);
  return true;
}

function findEntryMember(start: usize, length: usize): void {
  if (length === 2 && matches(start, 'id')) nextSlot = ID;
  else if (length === 4 && matches(start, 'type')) nextSlot = KIND;
  else if (length === 4 && matches(start, 'data')) nextContext = OPAQUE;
  else if (length === 7 && matches(start, 'message')) nextContext = MESSAGE;
  else if (length === 7 && matches(start, 'modelId')) nextSlot = NEXT_MODEL;
  else if (length === 8 && matches(start, 'parentId')) nextSlot = PARENT;
  else if (length === 8 && matches(start, 'provider')) nextSlot = NEXT_PROVIDER;
  else if (length === 9 && matches(start, 'timestamp')) nextSlot = TIME;
  else if (length === 10 && matches(start, 'customType')) nextSlot = CUSTOM_TYPE;
  else if (length === 13 && matches(start, 'thinkingLevel')) nextSlot = NEXT_LEVEL;
}

function findMessageMember(start: usize, length: usize): void {
  if (length === 4 && matches(start, 'role')) nextSlot = KIND;
  else if (length === 5 && matches(start, 'model')) nextSlot = MODEL;
  else if (length === 7 && matches(start, 'content')) nextContext = CONTENT;
  else if (length === 7 && matches(start, 'details')) nextContext = OPAQUE;
  else if (length === 8 && matches(start, 'provider')) nextSlot = PROVIDER;
  else if (length === 9 && matches(start, 'timestamp')) nextSlot = MESSAGE_TIME;
  else if (length === 10 && matches(start, 'stopReason')) nextSlot = STOP_REASON;
  else if (length === 10 && matches(start, 'toolCallId')) nextSlot = CALL_ID;
}

function findBlockMember(start: usize, length: usize): void {
  if (length === 2 && matches(start, 'id')) nextSlot = BLOCK_ID;
  else if (length === 4 && matches(start, 'type')) nextSlot = BLOCK_KIND;
  else if (length === 4 && matches(start, 'name')) nextSlot = BLOCK_NAME;
  else if (length === 9 && matches(start, 'arguments')) nextContext = OPAQUE;
}

function passText(): bool {
  const start = at + 1;
  const end = passString(start);
  if (end === NOWHERE) return false;
  at = end + 1;
  if (context === OPAQUE) return true;
  const namesKind = nextSlot === KIND || nextSlot === BLOCK_KIND;
  if (!hasRoom(namesKind ? end - start : 0)) return false;
  if (nextSlot !== NO_SLOT && !fillSlot(nextSlot, start, end)) return false;
  if (namesKind) addBytes(KIND_MARK, start, end - start, END_MARK);
  else addMark(STRING_MARK);
  return true;
}

function passScalar(first: u8): bool {
  const isLiteral = first >= 0x61;
  const end = isLiteral ? passLiteral(at) : passNumber(at);
  if (end === NOWHERE) return false;
  const start = at;
  at = end;
  if (context === OPAQUE) return true;
  if (!hasRoom(0)) return false;
  if (nextSlot === MESSAGE_TIME && !isLiteral) setSlot(nextSlot, start, end);
  addMark(first === 0x6e ? NULL_MARK : isLiteral ? BOOLEAN_MARK : NUMBER_MARK);
  return true;
}

/** Skips the ends of what ends here, and over a comma. */
function passEnds(): bool {
  while (true) {
    at = passSpace(at);
    const byte = load<u8>(at);
    if (byte === COMMA) {
      at = passSpace(at + 1);
      return true;
    }
    if (byte !== (isInArray() ? ARRAY_END : OBJECT_END) || !endLevel()) return false;
    at += 1;
    if (depth === 0) return true;
  }
}

function endLevel(): bool {
  if (context === BLOCK && equals(BLOCK_KIND, 'toolCall') && !addCall()) return false;
  const left = context;
  depth -= 1;
  if (depth > 0) context = load<u8>(STACK + depth - 1) & ~ARRAY;
  if (left === OPAQUE) return true;
  if (!hasRoom(0)) return false;
  addMark(OBJECT_END);
  return true;
}

function addCall(): bool {
  // A call without an id cannot be answered.
  if (getStart(BLOCK_ID) === 0) return true;
  const call = CALLS + (calls as usize) * 16;
  if (call + 16 > CALLS_END) return false;
  store<u32>(call, getStart(BLOCK_ID) as u32);
  store<u32>(call, getLength(BLOCK_ID) as u32, 4);
  store<u32>(call, getStart(BLOCK_NAME) as u32, 8);
  store<u32>(call, getLength(BLOCK_NAME) as u32, 12);
  calls += 1;
  return true;
}

function isInArray(): bool {
  return (load<u8>(STACK + depth - 1) & ARRAY) !== 0;
}
