const FIRST_BITS = 6;
/** Odd, and another in each process: no file can be made so that its ids fall on one place. */
const SPREAD = Math.floor(Math.random() * 2 ** 32) | 1;

/**
 * Marks for 32-bit ids: a hash table with open addressing, five bytes a place and no object per
 * id, because a listing marks every entry of every session.
 */
export class PlaceTable {
  /** There are 2 to the power of this places. */
  #bits = FIRST_BITS;
  #ids = new Uint32Array(2 ** FIRST_BITS);
  /** 0: the place is free. */
  #marks = new Uint8Array(2 ** FIRST_BITS);
  #size = 0;

  /** Adds a mark, a power of two below 256, to an id. */
  mark(id: number, mark: number): void {
    const place = this.#find(id);
    if (this.#marks[place] === 0) {
      this.#ids[place] = id;
      this.#size += 1;
    }
    this.#marks[place] = (this.#marks[place] ?? 0) | mark;
    if (this.#size * 2 > this.#marks.length) this.#grow();
  }

  /** How many ids have exactly these marks. */
  count(marks: number): number {
    let count = 0;
    for (const found of this.#marks) if (found === marks) count += 1;
    return count;
  }

  #find(id: number): number {
    const mask = this.#marks.length - 1;
    let place = Math.imul(id, SPREAD) >>> (32 - this.#bits);
    while (this.#marks[place] !== 0 && this.#ids[place] !== id) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [ids, marks] = [this.#ids, this.#marks];
    this.#bits += 1;
    this.#ids = new Uint32Array(2 ** this.#bits);
    this.#marks = new Uint8Array(2 ** this.#bits);
    for (let index = 0; index < marks.length; index += 1) {
      const [id, mark] = [ids[index] ?? 0, marks[index] ?? 0];
      if (mark === 0) continue;
      const place = this.#find(id);
      this.#ids[place] = id;
      this.#marks[place] = mark;
    }
  }
}
