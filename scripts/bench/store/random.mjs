// @ts-check

/**
 * Mixes 32 bits (the finaliser of MurmurHash3). Bijective: distinct numbers stay distinct.
 * @param {number} value
 */
export function mix32(value) {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A small seeded generator: the same seed gives the same sequence on every machine. */
export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed | 0;
  }

  bits() {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return mix32(this.#state);
  }

  /** In [0, 1). */
  fraction() {
    return this.bits() / 2 ** 32;
  }

  /**
   * A whole number in [0, end).
   * @param {number} end
   */
  below(end) {
    return Math.floor(this.fraction() * end);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.fraction() < probability;
  }

  /**
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  pick(items) {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  /** Standard normal (Box-Muller). */
  normal() {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()));
    return radius * Math.cos(2 * Math.PI * this.fraction());
  }

  /**
   * Log-normal: half of the draws lie below `median`; a larger `sigma` gives a heavier tail.
   * @param {number} median
   * @param {number} sigma
   */
  logNormal(median, sigma) {
    return median * Math.exp(sigma * this.normal());
  }

  /** @param {number} digits at most 8 at a time are needed anywhere */
  hex(digits) {
    return this.bits().toString(16).padStart(8, '0').slice(0, digits);
  }
}
