/** The start of the first line that was not taken, and the reason. */
export let scannedTo: usize = 0;
export let ending: i32 = 0;

export function stopAt(place: usize, why: i32): void {
  scannedTo = place;
  ending = why;
}
