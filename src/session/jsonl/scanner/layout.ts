/*
 * The layout of the memory that all scanners share. Plain numbers, for both sides: AssemblyScript
 * (`assembly/`, and an agent's own) and what calls it. Nothing is ever allocated. Behind every part
 * there is room for what is read and written in sixteens. Below the window are the texts that the
 * programs hold: an agent's from 0 on, those of `assembly/` from where its `asconfig.json` says.
 */

/** The number of pages of 64 kB. */
export const MEMORY_PAGES = 330;

/** The memory of an agent's own scanner, up to the chunks. */
export const OWN = 0x1_0000;

/** The chunks to read into instead of the window, each with as much room behind it. */
export const CHUNKS = 0x20_0000;
export const CHUNKS_END = CHUNKS + 0x8_2000;

/** The plan by which lines are cut down. */
export const PLAN = CHUNKS_END + 0x1000;
export const PLAN_END = PLAN + 0x1_0000;

/** The address and the length of each line that was taken, and whether it has escapes of surrogates. */
export const LINES = PLAN_END + 0x1000;
export const MAX_LINES = 512;
export const LINE_BYTES = 12;

/** The brackets that enclose the current value, a byte each. */
export const NESTING = LINES + MAX_LINES * LINE_BYTES + 0x100;
export const MAX_NESTING = 0x1000;

/** The reduced lines, one behind another. */
export const RESULT = NESTING + MAX_NESTING + 0x100;
export const RESULT_END = RESULT + 0x18_0000;

/**
 * A window for what was read elsewhere, with room for most lines that are longer than a chunk. What is not used
 * takes no memory.
 */
export const INPUT = RESULT_END + 0x1000;
export const INPUT_BYTES = 0x100_0000;

/**
 * The size of a node of a plan: its parts for texts, and the number of places in its table; then
 * the table.
 */
export const NODE_BYTES = 8;
/** The size of a member: the place of its key, its length, and its part. */
export const MEMBER_BYTES = 8;

/** The treatment of a value: left out, taken whole, or, of a text, its beginning, or that if it is base64. */
export const DROP = 0;
export const WHOLE = 1;
export const START = 2;
export const BASE64 = 3;

/** The beginning of a longer text is this many bytes or a few more. */
export const START_BYTES = 64;

/** The reasons why a scanner stopped: there is no whole line left, or the next one has to be parsed; */
export const DONE = 0;
export const LEFT = 1;
/** or, before that can be taken, its model has to be named, or its shape be learned. */
export const UNNAMED = 2;
export const UNSEEN = 4;
/** The answer for a line that is taken. */
export const TAKEN = 3;
