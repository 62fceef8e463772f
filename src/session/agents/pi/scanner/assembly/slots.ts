import { isPlain } from '../../../../jsonl/scanner/assembly/strings';
import { matches } from '../../../../jsonl/scanner/assembly/bytes';
import { SLOTS } from './memory';

/** Strings that a line is known by. What names a kind is a part of its shape, instead. */
export const NO_SLOT: usize = 0;
export const KIND: usize = 1;
export const ID: usize = 2;
export const PARENT: usize = 3;
export const TIME: usize = 4;
export const CUSTOM_TYPE: usize = 5;
/** The slots for the model and the thinking level that an entry sets from there on. */
export const NEXT_PROVIDER: usize = 6;
export const NEXT_MODEL: usize = 7;
export const NEXT_LEVEL: usize = 8;
/** Slots of a message, from here on. */
export const PROVIDER: usize = 9;
export const MODEL: usize = 10;
export const STOP_REASON: usize = 11;
export const CALL_ID: usize = 12;
/** A number, unlike the others. */
export const MESSAGE_TIME: usize = 13;
/** Slots of a block, from here on. */
export const BLOCK_KIND: usize = 14;
export const BLOCK_ID: usize = 15;
export const BLOCK_NAME: usize = 16;
const COUNT: usize = 17;

/** Longer texts are left to the parser. */
const MAX_LENGTH: usize = 255;

export function getStart(slot: usize): usize {
  return load<u32>(SLOTS + slot * 8) as usize;
}

/** 0 for an empty string as for none; the shape distinguishes them. */
export function getLength(slot: usize): usize {
  return load<u32>(SLOTS + slot * 8, 4) as usize;
}

export function clearSlots(from: usize): void {
  for (let slot = from; slot < COUNT; slot += 1) store<u64>(SLOTS + slot * 8, 0);
}

/** Fills a slot with the string that was skipped last; false if it is not plain. */
export function fillSlot(slot: usize, start: usize, end: usize): bool {
  if (!isPlain || end - start > MAX_LENGTH || slot === MESSAGE_TIME) return false;
  setSlot(slot, start, end);
  return true;
}

/** Fills a slot with what stands there, such as a number as it is written. */
export function setSlot(slot: usize, start: usize, end: usize): void {
  store<u64>(SLOTS + slot * 8, (((end - start) as u64) << 32) | (start as u64));
}

/** Returns whether a slot has the same text as a place. */
export function equals(slot: usize, text: string): bool {
  return getLength(slot) === (text.length as usize) && matches(getStart(slot), text);
}
