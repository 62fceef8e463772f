const FIRST_BITS = 10;
/** Larger tables are not kept for others. */
const MAX_KEPT_BITS = 14;
/** Odd, and another in each process: no file can be made so that its ids fall on one place. */
const SPREAD = Math.floor(Math.random() * 2 ** 32) | 1;

const ID_LENGTH = 8;
const [ZERO, NINE, LETTER_A, LETTER_F] = [0x30, 0x39, 0x61, 0x66];

/** An id as pi makes them, eight lower-case hexadecimal digits, as a number; undefined for others. */
export function toShortId(id: string): number | undefined {
  if (id.length !== ID_LENGTH) return undefined;
  let number = 0;
  for (let at = 0; at < ID_LENGTH; at += 1) {
    const unit = id.charCodeAt(at);
    if (unit >= ZERO && unit <= NINE) number = number * 16 + unit - ZERO;
    else if (unit >= LETTER_A && unit <= LETTER_F) number = number * 16 + unit - LETTER_A + 10;
    else return undefined;
  }
  return number;
}

const idle: PlaceTable[] = [];

/** An empty table. New memory for each of thousands of sessions would cost as much as filling it. */
export function takePlaceTable(): PlaceTable {
  return idle.pop() ?? new PlaceTable();
}

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
  /** How many ids have exactly these marks. */
  readonly #counts = [0, 0, 0, 0];

  /** Marks ids, each with its marks behind it. */
  markAll(marks: Uint32Array): void {
    for (let at = 0; at < marks.length; at += 2) this.mark(marks[at] ?? 0, marks[at + 1] ?? 0);
  }

  /** Adds marks, 1 or 2 or both as 3, to an id; whether they are the first. */
  mark(id: number, mark: number): boolean {
    const place = this.#find(id);
    const before = this.#marks[place] ?? 0;
    if (before === 0) {
      this.#ids[place] = id;
      this.#size += 1;
    }
    const after = before | mark;
    if (after === before) return false;
    this.#marks[place] = after;
    this.#counts[before] = this.count(before) - 1;
    this.#counts[after] = this.count(after) + 1;
    if (this.#size * 2 > this.#marks.length) this.#grow();
    return before === 0;
  }

  /** Returns how many ids have exactly these marks. */
  count(marks: number): number {
    return this.#counts[marks] ?? 0;
  }

  /** Gives the table to a later caller, empty; call this once. */
  giveBack(): void {
    if (this.#bits > MAX_KEPT_BITS) return;
    this.#marks.fill(0);
    this.#counts.fill(0);
    this.#size = 0;
    idle.push(this);
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
