import { PlaceTable, toShortId } from './place-table.ts';

const IS_THERE = 1;

/** Ids of entries. Those as pi makes them take five bytes each, and no string. */
export class IdSet {
  readonly #short = new PlaceTable();
  readonly #others = new Set<string>();

  /** False if it was there. */
  add(id: string): boolean {
    const short = toShortId(id);
    if (short !== undefined) return this.#short.mark(short, IS_THERE);
    const isNew = !this.#others.has(id);
    if (isNew) this.#others.add(id);
    return isNew;
  }
}
