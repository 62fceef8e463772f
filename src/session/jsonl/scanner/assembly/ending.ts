/** The reasons why the scanner stopped: there is no whole line left, or the next one has to be parsed; */
export const DONE: i32 = 0;
export const LEFT: i32 = 1;
/** or, before that can be taken, its model has to be named, or its shape be learnt. */
export const UNNAMED: i32 = 2;
export const UNSEEN: i32 = 2;
/** The answer for a line that is taken. */
export const TAKEN: i32 = 3;

/** The start of the first line that was not taken, and the reason. */
export let scannedTo: usize = 0;
export let ending: i32 = 0;

export function stopAt(place: usize, why: i32): void {
  scannedTo = place;
  ending = why;
}
