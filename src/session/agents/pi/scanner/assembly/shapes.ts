import { areSame, copyFew } from '../../../../jsonl/scanner/assembly/bytes';
import { UNKNOWN } from '../layout';
import {
  SHAPE,
  SHAPE_END,
  SHAPE_PLACES,
  SHAPE_TABLE,
  SHAPE_TEXTS,
  SHAPE_TEXTS_END,
} from './memory';

/** The number of shapes that can still be found quickly. */
const MAX_SHAPES: u32 = 2048;

let end: usize = SHAPE;
let textsEnd: usize = SHAPE_TEXTS;
let count: u32 = 0;
/** The place of the shape at hand in the table, and its hash. */
let place: usize = 0;
let hash: u32 = 0;

export function beginShape(): void {
  end = SHAPE;
}

export function addMark(mark: u8): void {
  store<u8>(end, mark);
  end += 1;
}

/** Adds bytes without control characters, between two marks. */
export function addBytes(before: u8, start: usize, length: usize, after: u8): void {
  store<u8>(end, before);
  copyFew(end + 1, start, length);
  store<u8>(end + 1 + length, after);
  end += length + 2;
}

/** Returns whether so much more has room. */
export function hasRoom(length: usize): bool {
  return end + length + 16 <= SHAPE_END;
}

/** Finds the shape at hand: what is to be done with its lines, and its number in `shape`. */
export function findShape(): u32 {
  hash = computeHash();
  for (let index: u32 = hash; ; index += 1) {
    place = SHAPE_TABLE + ((index as usize) % SHAPE_PLACES) * 16;
    const text = load<u32>(place) as usize;
    if (text === 0) return UNKNOWN;
    if (load<u32>(place, 4) !== hash) continue;
    const length = (load<u32>(place, 8) & 0xffff) as usize;
    if (length === end - SHAPE && areSame(text, SHAPE, length)) break;
  }
  shape = load<u32>(place, 8) >> 16;
  return load<u32>(place, 12);
}

/** The number of the shape at hand, counted from 0 in the order in which they were learned. */
export let shape: u32 = 0;

/** Remembers the shape at hand, and what to do with its lines; false if there is no room for more. */
export function learn(verdict: u32): bool {
  if (load<u32>(place) === 0) {
    const length = end - SHAPE;
    if (count === MAX_SHAPES || textsEnd + length > SHAPE_TEXTS_END) return false;
    memory.copy(textsEnd, SHAPE, length);
    store<u32>(place, textsEnd as u32);
    store<u32>(place, hash, 4);
    store<u32>(place, (count << 16) | (length as u32), 8);
    shape = count;
    textsEnd += length;
    count += 1;
  }
  store<u32>(place, verdict, 12);
  return true;
}

/** Forgets what is to be done; the shapes too when they are many, so that those of the next purpose have room. */
export function forget(): void {
  const half: usize = (SHAPE_TEXTS_END - SHAPE_TEXTS) / 2;
  if (count > MAX_SHAPES / 2 || textsEnd > SHAPE_TEXTS + half) {
    memory.fill(SHAPE_TABLE, 0, SHAPE_PLACES * 16);
    count = 0;
    textsEnd = SHAPE_TEXTS;
    return;
  }
  for (let at: usize = SHAPE_TABLE; at < SHAPE_TABLE + SHAPE_PLACES * 16; at += 16) {
    store<u32>(at, UNKNOWN, 12);
  }
}

function computeHash(): u32 {
  store<u64>(end, 0);
  let value: u64 = 0;
  for (let at: usize = SHAPE; at < end; at += 8) {
    value = (value ^ load<u64>(at)) * 0x1b_8735_93cc_9e2d;
    value ^= value >> 32;
  }
  return value as u32;
}
