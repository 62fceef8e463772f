/*
 * The records by which the scanner of pi reports the lines that it took: for both sides, as the layout
 * of the memory is (`session/jsonl/scanner/layout.ts`). Each has a fixed part, and a part for each call
 * of a tool. Places are in bytes from the start of a record.
 */

export const RECORD_BYTES = 64;
export const CALL_BYTES = 8;

/** A float of eight bytes; every other member is an integer of four. */
export const TIME_AT = 0;
/** The address of the line, and its length without LF. */
export const LINE_AT = 8;
export const LENGTH_AT = 12;
/** The number of its shape. */
export const SHAPE_AT = 16;
/** Texts, from here on. */
export const ID_AT = 20;
export const PARENT_AT = 24;
export const CUSTOM_TYPE_AT = 28;
export const PROVIDER_AT = 32;
export const MODEL_AT = 36;
export const CALL_ID_AT = 40;
/** How many calls follow. */
export const CALL_COUNT_AT = 44;
/** Texts again: the model and the thinking level that an entry sets. */
export const NEXT_PROVIDER_AT = 48;
export const NEXT_MODEL_AT = 52;
export const NEXT_LEVEL_AT = 56;

/** The texts in the part of a call, from its start. */
export const TOOL_ID_AT = 0;
export const TOOL_NAME_AT = 4;

/** A text in one number: its place among the texts, and its length in the last bits. */
export const LENGTH_BITS = 8;
export const LENGTH_MASK = 0xff;
/** The address of a text that a line does not have. */
export const ABSENT = 0x7fff_ffff;

/** The verdicts about lines of a shape. */
export const UNKNOWN = 0;
export const TAKE = 1;
export const LEAVE = 2;

/** The part of answers that is kept where lines are taken by their ends: nothing; the line without content and model; */
export const KEEP_NOTHING = 0;
export const KEEP_ANSWERS = 1;
/** or numbers: its time in milliseconds, and these many of its usage, in the order of `toUsage`. */
export const KEEP_NUMBERS = 2;
export const USAGE_MEMBERS = 6;
