/** Numbers that are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, a limit; 0 where that is 0. */
  below(limit: number): number {
    return Math.floor(this.next() * Math.max(0, limit));
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  pickWeighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let left = this.below(items.reduce((sum, [weight]) => sum + weight, 0));
    const found = items.find(([weight]) => (left -= weight) < 0) ?? items[0];
    return (found as readonly [number, T])[1];
  }

  shuffle<T>(items: readonly T[]): readonly T[] {
    return items
      .map((item) => ({ item, key: this.next() }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}
