import {
  areSame,
  copyFew,
  LF,
  NOWHERE,
  readDigits,
} from '../../../../jsonl/scanner/assembly/bytes';
import { at, calls, passEntry } from './entry';
import { stopAt } from '../../../../jsonl/scanner/assembly/ending';
import { DONE, LEFT, TAKEN, UNSEEN } from '../../../../jsonl/scanner/layout';
import {
  ABSENT,
  CALL_BYTES,
  CALL_COUNT_AT,
  CALL_ID_AT,
  CUSTOM_TYPE_AT,
  ID_AT,
  LENGTH_AT,
  LENGTH_BITS,
  LENGTH_MASK,
  LINE_AT,
  MODEL_AT,
  NEXT_LEVEL_AT,
  NEXT_MODEL_AT,
  NEXT_PROVIDER_AT,
  PARENT_AT,
  PROVIDER_AT,
  RECORD_BYTES,
  SHAPE_AT,
  TAKE,
  TIME_AT,
  TOOL_ID_AT,
  TOOL_NAME_AT,
  UNKNOWN,
} from '../layout';
import { CALLS, RECORDS, RECORDS_END, TEXTS, TEXTS_END } from './memory';
import { findShape, shape } from './shapes';
import {
  CALL_ID,
  CUSTOM_TYPE,
  equals,
  getLength,
  getStart,
  ID,
  MESSAGE_TIME,
  MODEL,
  NEXT_LEVEL,
  NEXT_MODEL,
  NEXT_PROVIDER,
  PARENT,
  PROVIDER,
  STOP_REASON,
  TIME,
} from './slots';
import { readTime } from './times';

/** Milliseconds of this century, as digits. */
const EPOCH_LENGTH: usize = 13;
/** The most bytes that a record and its texts take. */
const MAX_RECORD: usize = 0x1000;
const MAX_TEXTS: usize = 0xa000;

/** The end of the texts. */
export let textsEnd: usize = TEXTS;

let record: usize = RECORDS;
let lineEnd: usize = NOWHERE;
let time: f64 = 0;
/** The text of the id before, which is that of most parents. */
let lastId: u32 = ABSENT;

/**
 * Takes whole lines from `from` on whose shape is one to be taken, each with a record; up to the first
 * that is malformed, of another shape, or not as agents write it. Returns the number of records.
 */
export function scan(from: usize, end: usize): i32 {
  let count: i32 = 0;
  record = RECORDS;
  textsEnd = TEXTS;
  lastId = ABSENT;
  let place = from;
  let ending = DONE;
  const behind = load<u8>(end);
  // A line ends here, whatever the memory behind it holds.
  store<u8>(end, 0);
  while (hasRoom() && place < end) {
    ending = scanLine(place, end);
    if (ending !== TAKEN) break;
    addRecord(place);
    count += 1;
    place = lineEnd + 1;
  }
  store<u8>(end, behind);
  stopAt(place, ending);
  return count;
}

/** The time of the message in the line that was read last, in milliseconds; or NaN. */
export let messageTime: f64 = NaN;

/** Looks at one line, without its LF: whether it is of a shape to be taken, or of one to be learned. */
export function look(start: usize, end: usize): i32 {
  const behind = load<u8>(end);
  store<u8>(end, 0);
  const isWhole = passEntry(start) && at === end;
  store<u8>(end, behind);
  if (!isWhole) return LEFT;
  const digits = getStart(MESSAGE_TIME);
  const milliseconds =
    getLength(MESSAGE_TIME) === EPOCH_LENGTH ? readDigits(digits, digits + EPOCH_LENGTH) : -1;
  messageTime = milliseconds < 0 ? NaN : (milliseconds as f64);
  return judgeShape();
}

function hasRoom(): bool {
  return record + MAX_RECORD < RECORDS_END && textsEnd + MAX_TEXTS < TEXTS_END;
}

function scanLine(start: usize, end: usize): i32 {
  if (!passEntry(start) || load<u8>(at) !== LF) return hasLf(at, end) ? LEFT : DONE;
  lineEnd = at;
  if (getLength(ID) === 0) return LEFT;
  time = readTime(getStart(TIME), getLength(TIME));
  if (isNaN(time)) return LEFT;
  return judgeShape();
}

function judgeShape(): i32 {
  const verdict = findShape();
  if (verdict === TAKE) return TAKEN;
  return verdict === UNKNOWN ? UNSEEN : LEFT;
}

function hasLf(place: usize, end: usize): bool {
  for (; place < end; place += 1) if (load<u8>(place) === LF) return true;
  return false;
}

function addRecord(start: usize): void {
  const parent = addText(PARENT, lastId);
  lastId = addText(ID, ABSENT);
  store<f64>(record, time, TIME_AT);
  store<u32>(record, start as u32, LINE_AT);
  store<u32>(record, (lineEnd - start) as u32, LENGTH_AT);
  store<u32>(record, shape, SHAPE_AT);
  store<u32>(record, lastId, ID_AT);
  store<u32>(record, parent, PARENT_AT);
  store<u32>(record, addText(CUSTOM_TYPE, ABSENT), CUSTOM_TYPE_AT);
  store<u32>(record, addText(PROVIDER, ABSENT), PROVIDER_AT);
  store<u32>(record, addText(MODEL, ABSENT), MODEL_AT);
  store<u32>(record, addText(CALL_ID, ABSENT), CALL_ID_AT);
  const isReplayed = !equals(STOP_REASON, 'error') && !equals(STOP_REASON, 'aborted');
  store<u32>(record, isReplayed ? calls : 0, CALL_COUNT_AT);
  store<u32>(record, addText(NEXT_PROVIDER, ABSENT), NEXT_PROVIDER_AT);
  store<u32>(record, addText(NEXT_MODEL, ABSENT), NEXT_MODEL_AT);
  store<u32>(record, addText(NEXT_LEVEL, ABSENT), NEXT_LEVEL_AT);
  record += RECORD_BYTES;
  if (isReplayed) addCalls();
}

function addCalls(): void {
  for (let index: u32 = 0; index < calls; index += 1) {
    const call = CALLS + (index as usize) * 16;
    store<u32>(record, addBytes(load<u32>(call) as usize, load<u32>(call, 4)), TOOL_ID_AT);
    store<u32>(record, addBytes(load<u32>(call, 8) as usize, load<u32>(call, 12)), TOOL_NAME_AT);
    record += CALL_BYTES;
  }
}

/** Adds the text of a slot, unless it is the same as one that was added; how a record refers to it. */
function addText(slot: usize, known: u32): u32 {
  const start = getStart(slot);
  if (start === 0) return ABSENT;
  const length = getLength(slot);
  if (known !== ABSENT && (known & LENGTH_MASK) === (length as u32)) {
    if (areSame(TEXTS + ((known >> LENGTH_BITS) as usize), start, length)) return known;
  }
  return addBytes(start, length as u32);
}

/** Adds a text; the number that stands for it. */
function addBytes(start: usize, length: u32): u32 {
  const place = (textsEnd - TEXTS) as u32;
  copyFew(textsEnd, start, length as usize);
  textsEnd += length as usize;
  return (place << LENGTH_BITS) | length;
}
