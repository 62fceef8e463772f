import { OWN } from '../../../../jsonl/scanner/layout';

/* The layout of pi's part of the memory: the host reads what was found. */

/** The records of the lines that were taken, one after another. */
export const RECORDS: usize = OWN;
export const RECORDS_END: usize = RECORDS + 0x1_0000;

/** The bytes that name the model of the last answer. */
export const NAMES: usize = RECORDS_END + 0x1000;
export const MAX_NAMES: usize = 1024;

/** The texts that records refer to, one behind another. */
export const TEXTS: usize = NAMES + 0x1000;
export const TEXTS_END: usize = TEXTS + 0x1_0000;

/** The places of the numbers of a usage, and their lengths. */
export const NUMBERS: usize = TEXTS_END + 0x800;

/** The places of the strings that identify a line, two numbers each. */
export const SLOTS: usize = TEXTS_END + 0x1000;
/** The tool calls of an answer, two texts each. */
export const CALLS: usize = SLOTS + 0x100;
export const CALLS_END: usize = CALLS + 0x400;
/** The context of every object and array around a place. */
export const STACK: usize = CALLS_END + 0x100;
export const MAX_DEPTH: usize = 512;

/** The shape of the line at hand. */
export const SHAPE: usize = STACK + MAX_DEPTH + 0x100;
export const SHAPE_END: usize = SHAPE + 0x1000;
/** A hash table of the shapes that were seen, and their bytes. */
export const SHAPE_TABLE: usize = SHAPE_END + 0x1000;
export const SHAPE_PLACES: usize = 4096;
export const SHAPE_TEXTS: usize = SHAPE_TABLE + SHAPE_PLACES * 16;
export const SHAPE_TEXTS_END: usize = SHAPE_TEXTS + 0x10_0000;
