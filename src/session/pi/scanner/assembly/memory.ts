/*
 * What is where. The host puts lines into the input and reads what was found behind it; nothing is
 * ever allocated. Behind every part there is room for what is read in sixteens.
 */

export const INPUT: usize = 0x1_0000;
export const INPUT_BYTES: usize = 0x4_0000;

/** One for each line that was taken. */
export const RECORDS: usize = INPUT + INPUT_BYTES + 64;
export const RECORD_BYTES: usize = 24;
export const MAX_RECORDS: i32 = 2048;

/** The bytes that name the model of the last answer. */
export const NAMES: usize = RECORDS + RECORD_BYTES * (MAX_RECORDS as usize);
export const MAX_NAMES: usize = 1024;
