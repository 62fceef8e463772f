import { countLeading } from '../../model/count-leading.ts';

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
    const last = countLeading(this.#after, (one) => one <= after) - 1;
    return after + (this.#before[last] ?? 0) - (this.#after[last] ?? 0);
  }
}
