import { takePlaceTable, toShortId } from './place-table.ts';

const [IS_THERE, IS_PARENT] = [1, 2] as const;

/** Counts the entries that are no entry's parent, without keeping the entries. */
export class LeafCounter {
  /** Each entry is attached to the one before it, as in v1. */
  linear = false;
  /** Ids as pi makes them, as numbers; and all others. */
  readonly #short = takePlaceTable();
  readonly #long = new Map<string, number>();
  #withoutId = 0;

  add(id: string | undefined, parentId: string | undefined): void {
    if (this.linear || id === undefined) this.#withoutId += 1;
    else this.#mark(id, IS_THERE);
    if (parentId !== undefined) this.#mark(parentId, IS_PARENT);
  }

  /** Adds ids that are numbers, each with its marks after it. */
  addMarked(marks: Uint32Array): void {
    this.#short.markAll(marks);
  }

  /** Returns how many there are. To be called once, at the end. */
  finish(): number {
    const short = this.#short.count(IS_THERE);
    this.#short.giveBack();
    if (this.linear) return Math.min(this.#withoutId, 1);
    let count = this.#withoutId + short;
    for (const marks of this.#long.values()) if (marks === IS_THERE) count += 1;
    return count;
  }

  #mark(id: string, mark: 1 | 2): void {
    const short = toShortId(id);
    if (short !== undefined) this.#short.mark(short, mark);
    else this.#long.set(id, (this.#long.get(id) ?? 0) | mark);
  }
}
