/** Union-find over paths, whether there is a session at them or not. */
export class DisjointSets {
  readonly #parents = new Map<string, string>();
  readonly #items = new Set<string>();

  /** Returns whether an item was joined to any. */
  has(item: string): boolean {
    return this.#items.has(item);
  }

  find(item: string): string {
    let at = item;
    for (let up = this.#parents.get(at); up !== undefined; up = this.#parents.get(at)) {
      const next = this.#parents.get(up);
      if (next !== undefined) this.#parents.set(at, next);
      at = up;
    }
    return at;
  }

  join(a: string, b: string): void {
    this.#items.add(a).add(b);
    const [one, other] = [this.find(a), this.find(b)];
    if (one !== other) this.#parents.set(one, other);
  }
}
