/** Counts the entries that are no entry's parent, without keeping the entries. */
export class LeafCounter {
  /** Each entry hangs on the one before it, as in v1. */
  linear = false;
  readonly #ids = new Set<string>();
  readonly #parents = new Set<string>();
  #withoutId = 0;

  add(id: string | undefined, parentId: string | undefined): void {
    if (this.linear || id === undefined) this.#withoutId += 1;
    else this.#ids.add(id);
    if (parentId !== undefined) this.#parents.add(parentId);
  }

  get count(): number {
    if (this.linear) return Math.min(this.#withoutId, 1);
    let count = this.#withoutId;
    for (const id of this.#ids) if (!this.#parents.has(id)) count += 1;
    return count;
  }
}
