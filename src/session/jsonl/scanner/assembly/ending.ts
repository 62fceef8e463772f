/** Why looking at lines ended: there is no whole line left, or the next one has to be parsed; */
export const DONE: i32 = 0;
export const LEFT: i32 = 1;
/** or, before that can be taken, its model has to be named, or its shape be learnt. */
export const UNNAMED: i32 = 2;
export const UNSEEN: i32 = 2;
/** What is said of a line that is taken. */
export const TAKEN: i32 = 3;

/** Where the first line begins that was not taken, and why not. */
export let scannedTo: usize = 0;
export let ending: i32 = 0;

export function stopAt(place: usize, why: i32): void {
  scannedTo = place;
  ending = why;
}
