/** Maps bytes of a repaired file to their places before the repair. */
export class OffsetMap {
  readonly #after: number[] = [];
  readonly #before: number[] = [];
  #shift = 0;

  /** Records where a line begins; in order of the repaired file. */
  add(after: number, before: number): void {
    if (before - after === this.#shift) return;
    this.#shift = before - after;
    this.#after.push(after);
    this.#before.push(before);
  }

  /** Maps the start of a line to the offset that it had before. */
  toBefore(after: number): number {
    let low = 0;
    let high = this.#after.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#after[middle] ?? 0) <= after) low = middle + 1;
      else high = middle;
    }
    return after + (this.#before[low - 1] ?? 0) - (this.#after[low - 1] ?? 0);
  }
}
